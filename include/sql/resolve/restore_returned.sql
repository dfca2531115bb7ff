-- Purpose: hand rows that came back to the candidate that had them; clustering decides afterwards.
-- Inputs: former_source, source_record, candidate_redirect. Grain: one source row.
WITH back AS (
  DELETE FROM synthesis.former_source AS f
  USING synthesis.source_record AS s
  WHERE s.source = f.source AND s.source_key = f.source_key
  RETURNING f.source, f.source_key, f.candidate_id
)
INSERT INTO synthesis.candidate_source (
  source, source_key, candidate_id, own_id, rule, assigned_run
)
SELECT b.source, b.source_key, coalesce(d.current_id, b.candidate_id),
       CASE WHEN d.current_id IS NOT NULL THEN b.candidate_id END, 'returned', %(run_id)s
FROM back AS b
LEFT JOIN synthesis.candidate_redirect AS d USING (candidate_id)
ON CONFLICT (source, source_key) DO NOTHING
