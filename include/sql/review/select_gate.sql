-- Purpose: what people said of answers beside what the gate did. Inputs: run_id, null for all. Grain: one label.
SELECT c.outcome <> 'rejected' AS is_accepted, l.is_faithful
FROM synthesis.review_label AS l
JOIN synthesis.completion AS c USING (candidate_id, fingerprint, attempt_id)
WHERE %(run_id)s::text IS NULL OR l.run_id = %(run_id)s
