-- Purpose: whom an erasure is about. Inputs: candidate_id, one that was not merged away.
-- Grain: erased_candidate: one row per id that answers as this person; erased_row: one per source row of it, former
-- ones too; erased_key: one per strong key that only these rows hold and that is not quarantined.
CREATE TEMP TABLE erased_candidate (candidate_id bigint PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE erased_row (
  source text, source_key text, row_id bigint, PRIMARY KEY (source, source_key)) ON COMMIT DROP;
CREATE TEMP TABLE erased_key (kind text, value text, is_unique boolean, PRIMARY KEY (kind, value)) ON COMMIT DROP
