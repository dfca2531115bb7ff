-- Purpose: store a batch of documents; changed_at moves only with the text, source_changed_at only with the rows
--   (the part of input_hash before the slash).
-- Inputs: document_in. Grain: one row per candidate; returns whether it was new and whether its text changed.
WITH before AS (
  SELECT i.candidate_id, d.content_hash
  FROM document_in AS i
  LEFT JOIN synthesis.document AS d ON d.candidate_id = i.candidate_id
),
stored AS (
  INSERT INTO synthesis.document AS d (
    candidate_id, full_name, markdown, content_hash, input_hash, word_count, token_estimate,
    renderer_version, as_of, choices, trimmed, too_thin,
    title, employer, place, country, years_of_experience
  )
  SELECT
    candidate_id, full_name, markdown, content_hash, input_hash, word_count, token_estimate,
    renderer_version, as_of, choices, trimmed, too_thin,
    title, employer, place, country, years_of_experience
  FROM document_in
  ORDER BY candidate_id
  ON CONFLICT (candidate_id) DO UPDATE SET
    full_name = excluded.full_name,
    markdown = excluded.markdown,
    content_hash = excluded.content_hash,
    input_hash = excluded.input_hash,
    word_count = excluded.word_count,
    token_estimate = excluded.token_estimate,
    renderer_version = excluded.renderer_version,
    as_of = excluded.as_of,
    choices = excluded.choices,
    trimmed = excluded.trimmed,
    too_thin = excluded.too_thin,
    title = excluded.title,
    employer = excluded.employer,
    place = excluded.place,
    country = excluded.country,
    years_of_experience = excluded.years_of_experience,
    rendered_at = now(),
    changed_at = CASE
      WHEN d.content_hash = excluded.content_hash THEN d.changed_at ELSE now()
    END,
    source_changed_at = CASE
      WHEN split_part(d.input_hash, '/', 1) = split_part(excluded.input_hash, '/', 1) THEN d.source_changed_at
      ELSE now()
    END
  RETURNING candidate_id, content_hash
)
SELECT
  count(*) FILTER (WHERE b.content_hash IS NULL) AS added,
  count(*) FILTER (WHERE b.content_hash <> s.content_hash) AS changed
FROM stored AS s
JOIN before AS b USING (candidate_id)
