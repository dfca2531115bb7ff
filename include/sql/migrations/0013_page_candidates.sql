-- Purpose: what the operator's page reads beside the pipeline's own tables: source rows without contacts, people by a
--   word of their name, and the raw documents by full text, to set beside the search in the serving table.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.
-- The page's role reads the view and not the tables below it; rights are in include/sql/roles.

-- One row per source row of a candidate: what it says, without contacts and free text, and the number that names it
-- where its key must not be named.
CREATE VIEW synthesis.page_row AS
SELECT
  s.candidate_id, i.row_id, s.source, s.source_key, s.rule, s.evidence, s.own_id, s.assigned_at, r.observed_at,
  r.extracted_at,
  r.record ->> 'full_name' AS full_name,
  r.record ->> 'headline' AS headline,
  r.record ->> 'location' AS location,
  r.record ->> 'country' AS country,
  r.record ->> 'industry' AS industry,
  r.record ->> 'years_experience' AS years_experience,
  length(r.record ->> 'summary') AS summary_characters,
  (SELECT coalesce(json_agg(json_build_object(
      'title', p ->> 'title', 'company', p ->> 'company', 'start', p -> 'start', 'end', p -> 'end',
      'is_current', p -> 'is_current')), '[]')
   FROM json_array_elements(r.record -> 'positions') AS p) AS positions,
  (SELECT coalesce(json_agg(json_build_object(
      'school', e ->> 'school', 'degree', e ->> 'degree', 'field', e ->> 'field', 'start', e -> 'start',
      'end', e -> 'end')), '[]')
   FROM json_array_elements(r.record -> 'education') AS e) AS education,
  r.record -> 'skills' AS skills,
  r.record -> 'certifications' AS certifications,
  r.record -> 'languages' AS languages
FROM synthesis.candidate_source AS s
LEFT JOIN synthesis.source_record AS r USING (source, source_key)
LEFT JOIN synthesis.identity_row AS i USING (source, source_key);

-- Names are looked up by the beginning of their words, in small letters and without accents.
CREATE FUNCTION synthesis.name_words(name text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('simple'::regconfig,
  regexp_replace(normalize(lower(coalesce(name, '')), NFKD), U&'[\0300-\036F]', '', 'g'));
CREATE INDEX document_name_words ON synthesis.document USING gin (synthesis.name_words(full_name));

-- One row per document that search preview covers: its full-text vector, made after publishing. Safe to lose.
CREATE TABLE synthesis.document_search (
  candidate_id bigint PRIMARY KEY REFERENCES synthesis.document ON DELETE CASCADE,
  content_hash text NOT NULL,               -- of the document that the vector was made from
  vector       tsvector NOT NULL
);
-- A vector hardly shrinks; trying costs more than writing it.
ALTER TABLE synthesis.document_search ALTER COLUMN vector SET STORAGE EXTERNAL;
CREATE INDEX document_search_vector ON synthesis.document_search USING gin (vector);
