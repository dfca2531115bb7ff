-- Purpose: everybody who has jobs or tags. Fills scope. Grain: one row per candidate.
INSERT INTO scope (candidate_id)
SELECT candidate_id FROM synthesis.experience
UNION
SELECT candidate_id FROM synthesis.domain_tag
ORDER BY candidate_id
ON CONFLICT DO NOTHING
