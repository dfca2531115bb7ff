-- Purpose: temporary tables that a batch is copied into, emptied at each commit.
-- Grain: document_in one row per candidate, experience_in one per job, undocumented one per candidate without text.
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
  too_thin         boolean NOT NULL
) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE experience_in (LIKE synthesis.experience) ON COMMIT DELETE ROWS;
CREATE TEMPORARY TABLE undocumented (candidate_id bigint NOT NULL) ON COMMIT DELETE ROWS
