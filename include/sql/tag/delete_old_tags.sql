-- Purpose: drop tags of people in scope that no longer hold. Inputs: wanted_tag, scope.
-- Grain: one row per candidate and domain.
DELETE FROM synthesis.domain_tag AS t
USING scope AS s
WHERE s.candidate_id = t.candidate_id
  AND NOT EXISTS (
    SELECT FROM wanted_tag AS w WHERE w.candidate_id = t.candidate_id AND w.domain = t.domain
  )
