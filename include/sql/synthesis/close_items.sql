-- Purpose: give items their outcome. Grain: one row per item that this batch still holds.
UPDATE synthesis.run_item AS i
SET outcome = a.outcome, ended_at = coalesce(i.ended_at, now())
FROM jsonb_to_recordset(%(attempts)s) AS a (candidate_id bigint, fingerprint text, is_terminal boolean, outcome text)
WHERE i.run_id = %(run_id)s AND i.candidate_id = a.candidate_id AND i.batch_id = %(batch_id)s
  AND i.fingerprint = a.fingerprint AND a.is_terminal
