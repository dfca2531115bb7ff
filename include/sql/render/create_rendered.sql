-- Purpose: a temporary table for the documents of a batch that replace others, which a pooler may give another session than the next; new ones need none.
-- What is long lies here uncompressed, because the table that keeps it compresses, if at all. Grain: one row per candidate.
CREATE TEMPORARY TABLE document_in (
  candidate_id     bigint NOT NULL,
  full_name        text,
  markdown         text NOT NULL,
  content_hash     text NOT NULL,
  input_hash       text NOT NULL,
  word_count       integer NOT NULL,
  token_estimate   integer NOT NULL,
  renderer_version text NOT NULL,
  as_of            text,
  choices          jsonb NOT NULL,
  trimmed          text[] NOT NULL,
  too_thin         boolean NOT NULL,
  title            text,
  employer         text,
  place            text,
  country          text,
  years_of_experience smallint
) ON COMMIT DROP;
ALTER TABLE document_in ALTER markdown SET STORAGE EXTERNAL, ALTER choices SET STORAGE EXTERNAL
