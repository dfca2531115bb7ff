-- Purpose: what was answered before and under the release of a canary run, without any text.
-- Inputs: run_id of the canary. Old: the newest terminal answer of a run that publishes, one to the document as it is
--   before all others. New: the newest terminal answer under the run's release to the document as it is.
-- Grain: one row per document of the sample and side; side is old or new.
WITH sample AS (
  SELECT d.candidate_id, d.content_hash, r.release_id
  FROM synthesis.run AS r
  CROSS JOIN LATERAL jsonb_array_elements_text(r.params -> 'candidate_ids') AS s (id)
  JOIN synthesis.document AS d ON d.candidate_id = s.id::bigint
  WHERE r.run_id = %(run_id)s
),
old AS (
  SELECT DISTINCT ON (s.candidate_id) 'old' AS side, c.*
  FROM sample AS s
  JOIN synthesis.completion AS c ON c.candidate_id = s.candidate_id AND c.is_terminal AND c.release_id <> s.release_id
  JOIN synthesis.run AS r ON r.run_id = c.run_id AND r.publishes
  ORDER BY s.candidate_id, (c.content_hash = s.content_hash) DESC, c.created_at DESC
),
new AS (
  SELECT DISTINCT ON (s.candidate_id) 'new' AS side, c.*
  FROM sample AS s
  JOIN synthesis.completion AS c
    ON c.candidate_id = s.candidate_id AND c.is_terminal AND c.release_id = s.release_id
   AND c.content_hash = s.content_hash
  ORDER BY s.candidate_id, c.created_at DESC
)
SELECT
  a.side, a.candidate_id, a.fingerprint, a.attempt_id, a.outcome, a.reason, a.attempt AS attempts, a.completion_tokens,
  coalesce(array_length(regexp_split_to_array(trim(a.summary), '\s+'), 1), 0) AS words,
  jsonb_array_length(a.skills) AS skills,
  ARRAY(
    SELECT k ->> 'name' FROM jsonb_array_elements(a.checks) AS k WHERE NOT (k ->> 'passed')::boolean ORDER BY 1
  ) AS failed_checks
FROM (SELECT * FROM old UNION ALL SELECT * FROM new) AS a
ORDER BY a.candidate_id, a.side DESC
