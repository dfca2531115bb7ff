-- Purpose: the newest answer about a person, with what of it is not published and why. Inputs: candidate_id.
-- Grain: at most one attempt.
SELECT c.outcome, c.reason, c.method, c.supported, c.claims, c.removed, c.created_at, c.content_hash = d.content_hash
FROM synthesis.completion AS c
LEFT JOIN synthesis.document AS d USING (candidate_id)
WHERE c.candidate_id = %(candidate_id)s
ORDER BY c.is_terminal DESC, c.created_at DESC, c.attempt_id DESC
LIMIT 1
