-- Purpose: what a run made of each document it sent to the model, with the rows that were merged.
-- Grain: one row per planned candidate with an outcome, its last attempt.
SELECT DISTINCT ON (i.candidate_id)
  i.candidate_id,
  d.full_name,
  i.outcome,
  c.reason,
  c.method,
  c.summary,
  c.checks,
  coalesce(s.skills, '{}') AS skills,
  s.domains,
  rows.source_rows,
  cardinality(rows.source_rows) AS row_count
FROM synthesis.run_item AS i
JOIN synthesis.completion AS c
  ON c.candidate_id = i.candidate_id AND c.fingerprint = i.fingerprint AND c.run_id = i.run_id
JOIN synthesis.document AS d ON d.candidate_id = i.candidate_id
LEFT JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = i.candidate_id
CROSS JOIN LATERAL (
  SELECT array_agg(p.source || ' (' || p.rule || ')' ORDER BY p.source, p.source_key) AS source_rows
  FROM synthesis.candidate_source AS p WHERE p.candidate_id = i.candidate_id
) AS rows
WHERE i.run_id = %(run_id)s AND i.outcome IS NOT NULL
ORDER BY i.candidate_id, c.created_at DESC, c.attempt DESC
