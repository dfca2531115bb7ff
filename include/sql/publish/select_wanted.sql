-- Purpose: whom the serving table should hold now and whose row differs, as table synthesis.publish_wanted. It is no
--   temporary table because parallel workers cannot read those; the transaction that makes it drops it.
-- Inputs: the accepted completions of each live person among runs that publish, the person's document and domain tags.
--   A completion made from the document as it is now goes first, so that a document that went back to an older text
--   gets its summary back. Then the newest counts; one is as new as the moment when the deployment last turned to
--   what it was asked with, so that going back to an older prompt or model brings its summaries back.
--   A refused document keeps the older accepted summary; a thin one has none, whatever it had before.
-- Grain: one row per live candidate that has a document and is thin, has a summary or is served already.
CREATE UNLOGGED TABLE synthesis.publish_wanted AS
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
domains AS (
  SELECT candidate_id, array_agg(domain ORDER BY weight DESC, domain) AS domains
  FROM synthesis.domain_tag
  GROUP BY candidate_id
)
SELECT
  d.candidate_id,
  d.full_name,
  coalesce(t.domains, '{}') AS domains,
  n.method,
  l.model,
  l.engine_profile || ' ' || left(l.prompt_digest, 12) AS prompt_version,
  n.release_id,
  n.fingerprint,
  coalesce(n.content_hash, d.content_hash) AS content_hash,
  n.created_at AS synthesised_at,
  CASE WHEN %(publish_inferred)s THEN coalesce(n.inferred_skills, '{}') ELSE '{}' END AS inferred_skills,
  -- Summary and skills belong to the completion, so that its identity tells for them; only the setting of inferred
  -- skills makes more or fewer of the same completion.
  s.candidate_id IS NULL
    OR (s.full_name, s.domains, s.method, s.model, s.prompt_version, s.release_id, s.fingerprint, s.content_hash,
        s.synthesised_at)
       IS DISTINCT FROM
       (d.full_name, coalesce(t.domains, '{}'), n.method, l.model,
        l.engine_profile || ' ' || left(l.prompt_digest, 12), n.release_id, n.fingerprint,
        coalesce(n.content_hash, d.content_hash), n.created_at)
    OR cardinality(s.skills) <> coalesce(jsonb_array_length(n.skills), 0)
       + CASE WHEN %(publish_inferred)s THEN coalesce(cardinality(n.inferred_skills), 0) ELSE 0 END
    AS is_changed
FROM synthesis.document AS d
JOIN synthesis.candidate AS p
  ON p.candidate_id = d.candidate_id AND p.merged_into IS NULL AND p.retired_at IS NULL
LEFT JOIN chosen ON chosen.candidate_id = d.candidate_id
LEFT JOIN synthesis.completion AS n
  ON n.candidate_id = chosen.candidate_id AND n.fingerprint = chosen.fingerprint AND n.is_accepted
LEFT JOIN synthesis.release AS l ON l.release_id = n.release_id
LEFT JOIN domains AS t ON t.candidate_id = d.candidate_id
LEFT JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = d.candidate_id
WHERE n.candidate_id IS NOT NULL OR d.too_thin OR s.candidate_id IS NOT NULL
