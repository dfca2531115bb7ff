-- Purpose: the ids that answer under a candidate now. Grain: one merged id.
WITH RECURSIVE absorbed AS (
  SELECT candidate_id FROM synthesis.candidate WHERE merged_into = %(candidate_id)s
  UNION ALL
  SELECT c.candidate_id FROM absorbed AS a JOIN synthesis.candidate AS c ON c.merged_into = a.candidate_id
)
SELECT candidate_id FROM absorbed ORDER BY candidate_id
