-- Purpose: what the serving table should hold now, as temporary table wanted.
-- Inputs: the accepted completions of each live person among runs that publish, the person's document and domain tags.
--   A completion made from the document as it is now goes first, so that a document that went back to an older text
--   gets its summary back. Then the newest counts; one is as new as the moment when the deployment last turned to
--   what it was asked with, so that going back to an older prompt or model brings its summaries back.
--   A refused document keeps the older accepted summary; a thin one has none, whatever it had before.
-- Grain: one row per live candidate that has a document and is thin, has a summary or is served already.
CREATE TEMPORARY TABLE wanted ON COMMIT DROP AS
WITH answer AS (
  -- Fingerprints do not hold engine and renderer, so releases that differ in these alone are one.
  SELECT
    release_id,
    max(approved_at) OVER (
      PARTITION BY model, model_revision, prompt_digest, schema_digest, sampling_digest
    ) AS approved_at
  FROM synthesis.release
),
chosen AS (
  -- Keys only: the sort would carry the texts of all completions ever made.
  SELECT DISTINCT ON (c.candidate_id) c.candidate_id, c.fingerprint
  FROM synthesis.completion AS c
  JOIN synthesis.run AS r ON r.run_id = c.run_id AND r.publishes
  JOIN synthesis.document AS d ON d.candidate_id = c.candidate_id AND NOT d.too_thin
  JOIN answer AS a ON a.release_id = c.release_id
  WHERE c.is_accepted
  ORDER BY
    c.candidate_id,
    (c.content_hash = d.content_hash) DESC,
    greatest(c.created_at, a.approved_at) DESC,
    c.created_at DESC
),
newest AS (
  SELECT
    c.candidate_id, c.summary, c.skills, c.inferred_skills, c.method, c.release_id, c.fingerprint,
    c.content_hash, c.created_at
  FROM chosen
  JOIN synthesis.completion AS c
    ON c.candidate_id = chosen.candidate_id AND c.fingerprint = chosen.fingerprint AND c.is_accepted
),
domains AS (
  SELECT candidate_id, array_agg(domain ORDER BY weight DESC, domain) AS domains
  FROM synthesis.domain_tag
  GROUP BY candidate_id
)
SELECT
  d.candidate_id,
  d.full_name,
  n.summary,
  coalesce(
    ARRAY(
      SELECT s.name FROM (
        SELECT skill.value ->> 'name' AS name, skill.ordinality AS position
        FROM jsonb_array_elements(n.skills) WITH ORDINALITY AS skill
        UNION ALL
        SELECT inferred.value, 100000 + inferred.ordinality
        FROM unnest(n.inferred_skills) WITH ORDINALITY AS inferred (value, ordinality)
        WHERE %(publish_inferred)s
      ) AS s
      ORDER BY s.position
    ),
    '{}'
  ) AS skills,
  coalesce(t.domains, '{}') AS domains,
  n.method,
  l.model,
  l.engine_profile || ' ' || left(l.prompt_digest, 12) AS prompt_version,
  n.release_id,
  n.fingerprint,
  coalesce(n.content_hash, d.content_hash) AS content_hash,
  n.created_at AS synthesised_at
FROM synthesis.document AS d
JOIN synthesis.candidate AS p
  ON p.candidate_id = d.candidate_id AND p.merged_into IS NULL AND p.retired_at IS NULL
LEFT JOIN newest AS n ON n.candidate_id = d.candidate_id
LEFT JOIN synthesis.release AS l ON l.release_id = n.release_id
LEFT JOIN domains AS t ON t.candidate_id = d.candidate_id
WHERE n.candidate_id IS NOT NULL OR d.too_thin
  OR EXISTS (SELECT FROM synthesis.candidate_synthesis AS s WHERE s.candidate_id = d.candidate_id)
