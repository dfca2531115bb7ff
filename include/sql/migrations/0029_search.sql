-- Purpose: title, employer, place, country and years of experience as columns of the serving table, and one function that
--   searches all that is published about a person.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations. The next run renders
--   and publishes everybody once, to fill the columns.

ALTER TABLE synthesis.document
  ADD COLUMN title text,                    -- of the newest job
  ADD COLUMN employer text,
  ADD COLUMN place text,                    -- as the records write it
  ADD COLUMN country text,                  -- ISO 3166 code
  ADD COLUMN years_of_experience smallint;  -- whole years in which the person had a job
ALTER TABLE synthesis.candidate_synthesis
  ADD COLUMN title text,
  ADD COLUMN employer text,
  ADD COLUMN place text,
  ADD COLUMN country text,
  ADD COLUMN years_of_experience smallint,
  ADD COLUMN search_version smallint;       -- of the rules that made column `search`

-- Raise it with every change of synthesis.fact_vector or synthesis.answer_vector: everybody is published again.
CREATE FUNCTION synthesis.search_version() RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 1::smallint;

-- Letters without accents, small, as profiles.standardization.text.fold writes them; other characters stay.
CREATE FUNCTION synthesis.plain(words text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN octet_length(words) = length(words) THEN lower(words) ELSE
  replace(replace(replace(translate(
    normalize(regexp_replace(normalize(lower(words), NFKD), U&'[\0300-\036F]+', '', 'g'), NFC),
    'łøđıðħŋ', 'lodidhn'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss') END;

-- A lexeme has at most 2046 bytes.
CREATE FUNCTION synthesis.cut_names(names text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT left(name, 200) FROM unnest(names) AS name);

-- What tells skills apart, whatever the case, spaces and hyphens: "Node.js" and "NodeJS" are one, C, C++ and C# are three.
-- All names of a person at once, because one call for each costs a publish more than all its other work. Python's
-- Vocabulary has the same rule; a test compares them over the taxonomy.
CREATE FUNCTION synthesis.skill_keys(names text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
DECLARE
  joined text := E'\x01' || array_to_string(names, E'\x01');
BEGIN
  IF octet_length(joined) > 2000 THEN
    joined := E'\x01' || array_to_string(synthesis.cut_names(names), E'\x01');
  END IF;
  IF octet_length(joined) = length(joined) THEN
    joined := lower(joined);
  ELSE
    joined := translate(synthesis.plain(joined), '’®™©–', '');
  END IF;
  joined := replace(replace(joined, ' and ', '&'), E'\x01.net', E'\x01dotnet');
  -- One replace for each character is ten times as quick as translate with all of them.
  joined := replace(replace(replace(replace(replace(joined, ' ', ''), '-', ''), '.', ''), '/', ''), '_', '');
  joined := replace(replace(replace(replace(replace(joined, ',', ''), ':', ''), '''', ''), '(', ''), ')', '');
  RETURN (string_to_array(joined, E'\x01'))[2:];
END $$;

CREATE FUNCTION synthesis.skill_key(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (synthesis.skill_keys(ARRAY[left(name, 200)]))[1];

-- A lexeme as part of a tsquery's text.
CREATE FUNCTION synthesis.quoted_lexeme(lexeme text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''';

-- What publish adds to the vector of an answer: title (A), employer and place (C), and, without a position, exact names:
-- skills (s:), domains (d:) and country (c:). The text parser would make C of C++ and C#, and nothing of .NET.
CREATE FUNCTION synthesis.fact_vector(
  title text, employer text, place text, country text, skills text[], domains text[]
) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  RETURN setweight(to_tsvector('english'::regconfig, coalesce(title, '')), 'A')
    || setweight(to_tsvector('simple'::regconfig, synthesis.plain(concat_ws(' ; ', employer, place))), 'C')
    || array_to_tsvector(array_remove(
      string_to_array('s:' || nullif(array_to_string(synthesis.skill_keys(skills), E'\x01s:'), ''), E'\x01')
      || string_to_array('d:' || nullif(array_to_string(synthesis.skill_keys(domains), E'\x01d:'), ''), E'\x01')
      || ('c:' || lower(country)), NULL));
END $$;

-- Documents are found by exact names too, so their vectors are made again after the next publish.
TRUNCATE synthesis.document_search;
CREATE FUNCTION synthesis.document_vector(markdown text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN to_tsvector('english'::regconfig, markdown) || array_to_tsvector(ARRAY(
  SELECT DISTINCT 's:' || synthesis.skill_key(found[1])
  FROM regexp_matches(markdown, '(?:[[:alnum:]]{1,20}(?:[+#]{1,2}|[./][[:alnum:]]{1,20}[+#]{0,2})|\.[[:alpha:]]{2,20})', 'g') AS found));

-- One row per way to write something that a query may name, made by task `report` from the taxonomy and from what is
-- served. Safe to lose: without it each word of a query stands for itself.
CREATE TABLE synthesis.search_name (
  key   text PRIMARY KEY,                   -- synthesis.skill_key of the name
  kind  "char" NOT NULL,                    -- s skill, d domain, c country, l level, x excludes what follows, i ignored,
                                            -- o or, y years
  query tsquery                             -- what it looks for; null for x, i, o, y
);

-- One row per lexeme of a sample of profiles and documents: the share of people that have it. Safe to lose.
CREATE TABLE synthesis.search_term (
  lexeme text PRIMARY KEY,
  share  real NOT NULL
);
CREATE INDEX search_name_prefix ON synthesis.search_name (key text_pattern_ops) WHERE kind = 's';
