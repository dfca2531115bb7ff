-- Purpose: drop tags that no longer hold. Inputs: wanted_tag. Grain: one row per candidate and domain.
DELETE FROM synthesis.domain_tag AS t
WHERE NOT EXISTS (
  SELECT FROM wanted_tag AS w WHERE w.candidate_id = t.candidate_id AND w.domain = t.domain
)
