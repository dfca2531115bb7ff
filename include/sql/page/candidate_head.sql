-- Purpose: one person: the document and what is served. An id that was merged away is answered by the one that it
--   answers under. Inputs: candidate_id. Grain: one candidate.
WITH RECURSIVE chain AS (
  SELECT candidate_id, merged_into FROM synthesis.candidate WHERE candidate_id = %(candidate_id)s
  UNION ALL
  SELECT c.candidate_id, c.merged_into FROM chain JOIN synthesis.candidate AS c ON c.candidate_id = chain.merged_into
),
absorbed AS (
  SELECT a.candidate_id FROM synthesis.candidate AS a JOIN chain ON a.merged_into = chain.candidate_id
  WHERE chain.merged_into IS NULL
  UNION ALL
  SELECT a.candidate_id FROM absorbed JOIN synthesis.candidate AS a ON a.merged_into = absorbed.candidate_id
)
SELECT
  c.candidate_id, c.created_at, c.retired_at,
  ARRAY(SELECT candidate_id FROM absorbed ORDER BY candidate_id) AS absorbed,
  coalesce(d.full_name, s.full_name) AS full_name, d.markdown, d.content_hash, d.word_count, d.token_estimate,
  d.too_thin, d.as_of, d.choices, d.trimmed, d.rendered_at, d.changed_at,
  s.candidate_id IS NOT NULL AS is_served, s.summary, s.skills, s.domains, s.method, s.model, s.prompt_version,
  s.release_id, s.fingerprint, s.content_hash AS served_hash, s.run_id, s.synthesised_at, s.published_at,
  (SELECT release_id FROM synthesis.release WHERE state = 'approved') AS approved_release
FROM synthesis.candidate AS c
JOIN chain ON chain.candidate_id = c.candidate_id AND chain.merged_into IS NULL
LEFT JOIN synthesis.document AS d ON d.candidate_id = c.candidate_id
LEFT JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = c.candidate_id
