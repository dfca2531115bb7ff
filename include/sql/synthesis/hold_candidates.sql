-- Purpose: which of these people still exist, kept until commit; an erasure under way is waited for.
-- Grain: one candidate.
SELECT candidate_id
FROM synthesis.candidate
WHERE candidate_id = ANY(%(candidate_ids)s)
ORDER BY candidate_id
FOR KEY SHARE
