-- Purpose: merged-away ids that answer for themselves again. Grain: one candidate.
UPDATE synthesis.candidate AS c
SET merged_into = NULL, merged_at = NULL
FROM unmerged AS u
WHERE c.candidate_id = u.candidate_id
