-- Purpose: candidates whose document must be rendered again, with the hash of what it is rendered from.
-- Inputs: key range lo..hi (both included) and renderer, the digest of rendering rules and vocabulary.
-- Grain: one row per live candidate with source rows whose rows, membership or renderer changed; is_new has no document.
-- known is read once, because documents are written while this is: a table that was vacuumed while it was empty is
-- planned as empty, and a join would read the growing table again for each candidate.
WITH known AS MATERIALIZED (
  SELECT candidate_id, input_hash FROM synthesis.document WHERE candidate_id BETWEEN %(lo)s AND %(hi)s
),
wanted AS (
  SELECT
    s.candidate_id,
    md5(string_agg(
      s.source || chr(31) || s.source_key || chr(31) || r.record_hash, chr(30)
      ORDER BY s.source COLLATE "C", s.source_key COLLATE "C"
    )) || '/' || md5(%(renderer)s) AS input_hash
  FROM synthesis.candidate_source AS s
  JOIN synthesis.source_record AS r ON r.source = s.source AND r.source_key = s.source_key
  JOIN synthesis.candidate AS c
    ON c.candidate_id = s.candidate_id AND c.merged_into IS NULL AND c.retired_at IS NULL
  WHERE s.candidate_id BETWEEN %(lo)s AND %(hi)s
  GROUP BY s.candidate_id
)
SELECT w.candidate_id, w.input_hash, d.candidate_id IS NULL AS is_new
FROM wanted AS w
LEFT JOIN known AS d ON d.candidate_id = w.candidate_id
WHERE d.input_hash IS DISTINCT FROM w.input_hash
ORDER BY w.candidate_id
