-- Purpose: the person who answers under an id now, as a line of the list. Inputs: candidate_id. Grain: one candidate.
WITH RECURSIVE chain AS (
  SELECT candidate_id, merged_into FROM synthesis.candidate WHERE candidate_id = %(candidate_id)s
  UNION ALL
  SELECT c.candidate_id, c.merged_into FROM chain JOIN synthesis.candidate AS c ON c.candidate_id = chain.merged_into
)
SELECT c.candidate_id, coalesce(d.full_name, s.full_name) AS full_name, s.skills, s.domains, s.method,
       s.summary IS NOT NULL AS has_summary, d.too_thin, s.content_hash = d.content_hash AS is_current,
       s.synthesised_at
FROM chain AS c
LEFT JOIN synthesis.document AS d USING (candidate_id)
LEFT JOIN synthesis.candidate_synthesis AS s USING (candidate_id)
WHERE c.merged_into IS NULL
