-- Purpose: whether an id exists, answers for itself, or under which id it answers now.
-- Grain: one candidate.
SELECT c.candidate_id, d.current_id, c.retired_at, c.created_at
FROM synthesis.candidate AS c
LEFT JOIN synthesis.candidate_redirect AS d USING (candidate_id)
WHERE c.candidate_id = %(candidate_id)s
