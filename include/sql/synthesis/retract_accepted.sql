-- Purpose: make room for a newly accepted completion of the same fingerprint (a forced item); one is accepted
--   at a time. A run that does not publish never takes the mark from one that does, nor sentences of the
--   document from a published text of the model.
-- Grain: one row per completion that loses the mark.
UPDATE synthesis.completion AS c
SET is_accepted = false
FROM jsonb_to_recordset(%(attempts)s) AS a (
       candidate_id bigint, fingerprint text, attempt_id text, wants_accepted boolean, method text),
     synthesis.run AS ours, synthesis.run AS theirs
WHERE a.wants_accepted AND c.candidate_id = a.candidate_id AND c.fingerprint = a.fingerprint AND c.is_accepted
  AND c.attempt_id <> a.attempt_id AND (a.method = 'model' OR c.method = 'extractive' OR NOT theirs.publishes)
  AND ours.run_id = %(run_id)s AND theirs.run_id = c.run_id AND (ours.publishes OR NOT theirs.publishes)
