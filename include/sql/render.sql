-- name: copy_documents
-- Purpose: load rendered documents. Grain: one row per candidate.
COPY document_in (
  candidate_id, full_name, markdown, content_hash, input_hash, word_count, token_estimate,
  renderer_version, as_of, choices, trimmed, too_thin,
  title, employer, place, country, years_of_experience
) FROM STDIN (FORMAT BINARY)

-- name: copy_experience
-- Purpose: load merged jobs. Grain: one row per job of a candidate.
COPY synthesis.experience (
  candidate_id, n, employer, employer_key, company_linkedin_id, company_domain, title,
  start_month, end_month, is_current, months, sources
) FROM STDIN

-- name: create_rendered
-- Purpose: a temporary table for the documents of a batch, which a pooler may give another session than the next.
-- What is long lies here uncompressed, because the table that keeps it compresses, if at all. Grain: one row per candidate.
CREATE TEMPORARY TABLE document_in (
  candidate_id     bigint NOT NULL,
  full_name        text,
  markdown         text NOT NULL,
  content_hash     text NOT NULL,
  input_hash       text NOT NULL,
  word_count       integer NOT NULL,
  token_estimate   integer NOT NULL,
  renderer_version text NOT NULL,
  as_of            text,
  choices          jsonb NOT NULL,
  trimmed          text[] NOT NULL,
  too_thin         boolean NOT NULL,
  title            text,
  employer         text,
  place            text,
  country          text,
  years_of_experience smallint
) ON COMMIT DROP;
ALTER TABLE document_in ALTER markdown SET STORAGE EXTERNAL, ALTER choices SET STORAGE EXTERNAL

-- name: delete_gone
-- Purpose: drop documents and jobs of candidates that were retired, merged away or have no source row left.
-- Inputs: key range lo..hi, both included. Grain: returns the number of deleted documents.
WITH gone AS (
  SELECT d.candidate_id
  FROM synthesis.document AS d
  JOIN synthesis.candidate AS c ON c.candidate_id = d.candidate_id
  WHERE d.candidate_id BETWEEN %(lo)s AND %(hi)s
    AND (
      c.merged_into IS NOT NULL
      OR c.retired_at IS NOT NULL
      OR NOT EXISTS (
        SELECT FROM synthesis.candidate_source AS s WHERE s.candidate_id = d.candidate_id
      )
    )
),
jobs AS (
  DELETE FROM synthesis.experience WHERE candidate_id IN (SELECT candidate_id FROM gone)
)
DELETE FROM synthesis.document WHERE candidate_id IN (SELECT candidate_id FROM gone)

-- name: delete_old_experience
-- Purpose: make room for the jobs of a batch. Inputs: its candidate_ids. Grain: one row per job.
DELETE FROM synthesis.experience WHERE candidate_id = ANY (%(candidate_ids)s)

-- name: delete_undocumented
-- Purpose: drop documents of candidates whose records say nothing any more. Inputs: their candidate_ids.
-- Grain: one row per candidate.
DELETE FROM synthesis.document WHERE candidate_id = ANY (%(candidate_ids)s)

-- name: find_changed
-- Purpose: candidates whose document must be rendered again, with the hash of what it is rendered from.
-- Inputs: key range lo..hi (both included) and renderer, the digest of rendering rules and vocabulary.
-- Grain: one row per live candidate with source rows whose rows, membership or renderer changed.
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
SELECT w.candidate_id, w.input_hash
FROM wanted AS w
LEFT JOIN known AS d ON d.candidate_id = w.candidate_id
WHERE d.input_hash IS DISTINCT FROM w.input_hash
ORDER BY w.candidate_id

-- name: forget_reader_text
-- Purpose: forget what earlier renders found in the rows of a batch. Inputs: its candidate_ids. Grain: one row and field.
DELETE FROM synthesis.reader_text AS t
WHERE EXISTS (
  SELECT FROM synthesis.candidate_source AS s
  WHERE s.source = t.source AND s.source_key = t.source_key AND s.candidate_id = ANY (%(candidate_ids)s))

-- name: select_records
-- Purpose: the source records of a batch of candidates.
-- Inputs: candidate_ids. Grain: one row per source record, a candidate's together.
SELECT s.candidate_id, r.record
FROM synthesis.candidate_source AS s
JOIN synthesis.source_record AS r ON r.source = s.source AND r.source_key = s.source_key
WHERE s.candidate_id = ANY(%(candidate_ids)s)
ORDER BY s.candidate_id

-- name: upsert_documents
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

-- name: upsert_reader_text
-- Purpose: note where a source row addresses a reader. Grain: one row and field.
INSERT INTO synthesis.reader_text (source, source_key, field, cuts)
VALUES (%(source)s, %(source_key)s, %(field)s, %(cuts)s)
ON CONFLICT (source, source_key, field) DO UPDATE SET cuts = excluded.cuts, found_at = now()
