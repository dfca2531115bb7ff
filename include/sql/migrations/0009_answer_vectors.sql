-- Purpose: make the costly part of publishing, the full-text vector of an answer, when the answer is accepted; index
-- identity keys by less.
-- Grain: columns of existing tables. Applied once, in one transaction, by profiles.storage.migrations.

-- Skills twice, stemmed for queries in English and as written for names that a stemmer bends; then the summary.
CREATE FUNCTION synthesis.answer_vector(skills text[], summary text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN setweight(to_tsvector('english'::regconfig, synthesis.immutable_join(skills)), 'A')
  || setweight(to_tsvector('simple'::regconfig, synthesis.immutable_join(skills)), 'A')
  || setweight(to_tsvector('english'::regconfig, coalesce(summary, '')), 'B');

-- Names that stand beside an answer: inferred skills (A) or domains (C). Empty for none, which is the usual case.
CREATE FUNCTION synthesis.name_vector(names text[], weight "char") RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN cardinality(names) = 0 THEN ''::tsvector ELSE
  setweight(to_tsvector('english'::regconfig, synthesis.immutable_join(names)), weight)
  || setweight(to_tsvector('simple'::regconfig, synthesis.immutable_join(names)), weight) END;

-- Generated, so that it goes with the texts whoever changes or erases them. Null unless accepted.
ALTER TABLE synthesis.completion ADD COLUMN search_vector tsvector GENERATED ALWAYS AS (
  CASE WHEN is_accepted THEN synthesis.answer_vector(synthesis.skill_names(skills), summary) END) STORED;

-- A vector hardly shrinks; trying costs more than writing it.
ALTER TABLE synthesis.candidate_synthesis ALTER COLUMN search SET STORAGE EXTERNAL;

DROP FUNCTION synthesis.search_vector(text[], text, text[]);

-- Rows are looked up by row_id or by key; no row holds a key twice because resolution makes each once. The index on
-- all three columns was as large as the table.
ALTER TABLE synthesis.identity_key DROP CONSTRAINT identity_key_pkey;
CREATE INDEX identity_key_row ON synthesis.identity_key (row_id);
