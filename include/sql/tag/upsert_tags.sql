-- Purpose: store new and changed tags; equal rows are not touched. Inputs: wanted_tag.
-- Grain: one row per candidate and domain.
INSERT INTO synthesis.domain_tag AS t (candidate_id, domain, months, weight, employers)
SELECT w.candidate_id, w.domain, w.months, w.weight, w.employers
FROM wanted_tag AS w
ORDER BY w.candidate_id, w.domain
ON CONFLICT (candidate_id, domain) DO UPDATE
SET months = excluded.months, weight = excluded.weight, employers = excluded.employers
WHERE (t.months, t.weight, t.employers)
  IS DISTINCT FROM (excluded.months, excluded.weight, excluded.employers)
