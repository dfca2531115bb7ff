-- Purpose: what the serving table lacks to be as it should, as table synthesis.publish_change: whose row is missing or
--   differs, as it should be, and whose row has to go. It is no temporary table because parallel workers cannot read
--   those; the transaction that makes it drops it.
-- Inputs: the accepted completions of each live person among runs that publish, the person's document and domain tags.
--   The model's text goes before sentences of the document that stand in for one, also when it was made from an older
--   document: content_hash says from which. Then a completion made from the document as it is now goes first, so that a
--   document that went back to an older text gets its summary back. Then the newest counts; one is as new as the moment when the deployment last turned to
--   what it was asked with, so that going back to an older prompt or model brings its summaries back.
--   A rejected document keeps the older accepted summary; a thin one has none, whatever it had before.
-- Everybody is compared every night, so each table is read once, and of skills only their number goes through the sort.
-- Grain: one row per live candidate that has a document and is thin, has a summary or is served already, whose row
--   differs; and one per candidate that is served and should not be (is_gone).
CREATE UNLOGGED TABLE synthesis.publish_change AS
WITH asked AS (
  -- Fingerprints do not hold engine and renderer, so releases that differ in these alone are one.
  SELECT
    release_id,
    model,
    engine_profile || ' ' || left(prompt_digest, 12) AS prompt_version,
    max(approved_at) OVER (
      PARTITION BY model, model_revision, prompt_digest, schema_digest, sampling_digest
    ) AS approved_at
  FROM synthesis.release
),
answer AS (
  SELECT
    c.candidate_id,
    c.fingerprint,
    c.content_hash,
    c.method,
    a.model,
    a.prompt_version,
    c.release_id,
    c.created_at,
    greatest(c.created_at, a.approved_at) AS counts_from,
    CASE WHEN %(publish_inferred)s THEN c.inferred_skills ELSE '{}' END AS inferred_skills,
    jsonb_array_length(c.skills) AS skill_count
  FROM synthesis.completion AS c
  JOIN synthesis.run AS r ON r.run_id = c.run_id AND r.publishes
  JOIN asked AS a ON a.release_id = c.release_id
  WHERE c.is_accepted
),
chosen AS (
  SELECT DISTINCT ON (d.candidate_id)
    d.candidate_id,
    d.full_name,
    d.title,
    d.employer,
    d.place,
    d.country,
    d.years_of_experience,
    d.too_thin,
    a.method,
    a.model,
    a.prompt_version,
    a.release_id,
    a.fingerprint,
    coalesce(a.content_hash, d.content_hash) AS content_hash,
    a.created_at AS synthesised_at,
    coalesce(a.inferred_skills, '{}') AS inferred_skills,
    coalesce(a.skill_count + cardinality(a.inferred_skills), 0) AS skill_count
  FROM synthesis.document AS d
  LEFT JOIN answer AS a ON a.candidate_id = d.candidate_id AND NOT d.too_thin
  WHERE NOT EXISTS (
    SELECT FROM synthesis.candidate AS p
    WHERE p.candidate_id = d.candidate_id AND (p.merged_into IS NOT NULL OR p.retired_at IS NOT NULL)
  )
  ORDER BY d.candidate_id, (a.method = 'model') DESC, (a.content_hash = d.content_hash) DESC, a.counts_from DESC, a.created_at DESC
),
tagged AS (
  SELECT candidate_id, array_agg(domain ORDER BY weight DESC, domain) AS domains
  FROM synthesis.domain_tag
  GROUP BY candidate_id
)
SELECT
  coalesce(w.candidate_id, s.candidate_id) AS candidate_id,
  w.full_name,
  w.title,
  w.employer,
  w.place,
  w.country,
  w.years_of_experience,
  coalesce(t.domains, '{}') AS domains,
  w.method,
  w.model,
  w.prompt_version,
  w.release_id,
  w.fingerprint,
  w.content_hash,
  w.synthesised_at,
  w.inferred_skills,
  s.candidate_id IS NULL AS is_new,
  w.candidate_id IS NULL AS is_gone
FROM chosen AS w
LEFT JOIN tagged AS t ON t.candidate_id = w.candidate_id
FULL JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = w.candidate_id
WHERE CASE
  WHEN w.candidate_id IS NULL THEN true
  WHEN s.candidate_id IS NULL THEN w.fingerprint IS NOT NULL OR w.too_thin
  -- Summary and skills belong to the completion, so that its identity tells for them; only the setting of inferred
  -- skills makes more or fewer of the same completion.
  ELSE cardinality(s.skills) <> w.skill_count
    OR (s.search_version, s.full_name, s.title, s.employer, s.place, s.country, s.years_of_experience, s.domains,
        s.method, s.model, s.prompt_version, s.release_id, s.fingerprint, s.content_hash, s.synthesised_at)
       IS DISTINCT FROM
       (synthesis.search_version(), w.full_name, w.title, w.employer, w.place, w.country, w.years_of_experience,
        coalesce(t.domains, '{}'), w.method, w.model, w.prompt_version, w.release_id, w.fingerprint,
        w.content_hash, w.synthesised_at)
END
