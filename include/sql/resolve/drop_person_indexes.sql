-- Purpose: take indexes and references off the table of who is who, where nobody is known yet, before everybody is
-- written; references are then checked in one pass. Locks it and candidate until the transaction ends.
-- Grain: whole table.
ALTER TABLE synthesis.candidate_source
  DROP CONSTRAINT candidate_source_pkey,
  DROP CONSTRAINT candidate_source_candidate_id_fkey,
  DROP CONSTRAINT candidate_source_own_id_fkey;
DROP INDEX synthesis.candidate_source_candidate
