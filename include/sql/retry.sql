-- name: open_rejected
-- Purpose: make documents open again whose answers were refused, so that the next plan takes them. Sentences of the document that
--   stand in for one stay published meanwhile.
-- Inputs: reason, candidate_ids and run_id, each null for any. Documents that changed since are planned anyway.
-- Grain: one row per reason, with how many people.
WITH opened AS (
  UPDATE synthesis.completion AS c
  SET is_terminal = false, retried_at = now()
  FROM synthesis.document AS d
  WHERE d.candidate_id = c.candidate_id AND d.content_hash = c.content_hash
    AND c.is_terminal AND c.outcome IN ('rejected', 'extractive')
    AND (%(reason)s::text IS NULL OR c.reason = %(reason)s)
    AND (%(candidate_ids)s::bigint[] IS NULL OR c.candidate_id = ANY (%(candidate_ids)s))
    AND (%(run_id)s::text IS NULL OR c.run_id = %(run_id)s)
  RETURNING c.candidate_id, coalesce(c.reason, 'unknown') AS reason
)
SELECT reason, count(DISTINCT candidate_id) FROM opened GROUP BY reason ORDER BY 2 DESC, 1
