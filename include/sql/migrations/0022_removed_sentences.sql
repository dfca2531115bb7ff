-- Purpose: keep what the gate removed of an answer, with the reason, and how much of it the document supports; tell people
--   who were rejected in an earlier run from fresh ones; note source rows whose text addresses a reader.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.

-- removed: [{sentence, reason}], profile text; the sentences go with raw_text, the reasons stay.
-- supported of claims: what the document bears out of all that the answer states.
ALTER TABLE synthesis.completion
  ADD COLUMN removed jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN supported integer NOT NULL DEFAULT 0,
  ADD COLUMN claims integer NOT NULL DEFAULT 0;
CREATE INDEX completion_rejected ON synthesis.completion (candidate_id, fingerprint)
  WHERE is_terminal AND outcome = 'rejected';

-- Documents whose present fingerprint was rejected in an earlier run and that this run did not plan.
ALTER TABLE synthesis.run ADD COLUMN rejected_before bigint NOT NULL DEFAULT 0;

-- One row per source row and field with text that addresses a reader, which no document shows. No text of the row.
-- Safe to lose: the next render of the person finds it again.
CREATE TABLE synthesis.reader_text (
  source     text NOT NULL,
  source_key text NOT NULL,
  field      text NOT NULL,
  cuts       integer NOT NULL,              -- sentences or whole fields
  found_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, source_key, field)
);

-- One row per served person with an answer: its score, beside the serving table. score is null without claims.
CREATE VIEW synthesis.candidate_score AS
SELECT
  s.candidate_id, s.method, c.outcome, c.reason, c.supported, c.claims,
  c.supported::double precision / nullif(c.claims, 0) AS score,
  jsonb_array_length(c.removed) AS removed_sentences,
  s.content_hash = d.content_hash AS is_current
FROM synthesis.candidate_synthesis AS s
JOIN synthesis.completion AS c
  ON c.candidate_id = s.candidate_id AND c.fingerprint = s.fingerprint AND c.is_accepted
LEFT JOIN synthesis.document AS d ON d.candidate_id = s.candidate_id;
