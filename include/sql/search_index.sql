-- name: create_name_index
-- Purpose: find names of skills that differ by little from a word. Inputs: pg_trgm's schema. Grain: one index.
CREATE INDEX IF NOT EXISTS search_name_near ON synthesis.search_name USING gin (key {schema}.gin_trgm_ops) WHERE kind = 's'

-- name: refresh_documents
-- Purpose: what search reads of the next people whose document or profile changed, or who have none. A document that is
--   being erased is waited for. Inputs: after (candidate_id of the last one seen), rows.
-- Grain: one row, the last candidate seen and how many there were; no candidate when none was left.
WITH changed AS (
  SELECT d.candidate_id, d.content_hash, d.markdown, p.search, p.published_at
  FROM synthesis.document AS d
  LEFT JOIN synthesis.candidate_synthesis AS p ON p.candidate_id = d.candidate_id
  -- Bounded here too, or each call would read the vectors of all the calls before.
  LEFT JOIN synthesis.document_search AS s ON s.candidate_id = d.candidate_id AND s.candidate_id > %(after)s
  WHERE d.candidate_id > %(after)s
    AND (s.content_hash, s.published_at) IS DISTINCT FROM (d.content_hash, p.published_at)
  ORDER BY d.candidate_id
  LIMIT %(rows)s
  FOR KEY SHARE OF d
),
written AS (
  INSERT INTO synthesis.document_search (candidate_id, content_hash, published_at, vector)
  SELECT candidate_id, content_hash, published_at, synthesis.person_vector(candidate_id, search, markdown) FROM changed
  ON CONFLICT (candidate_id) DO UPDATE
    SET content_hash = excluded.content_hash, published_at = excluded.published_at, vector = excluded.vector
  RETURNING candidate_id
)
SELECT max(candidate_id), count(*) FROM written

-- name: merge_pending
-- Purpose: bring what was added into the index itself; until then every search reads it from end to end. Inputs: none.
-- Grain: one row.
SELECT gin_clean_pending_list('synthesis.document_search_vector')

-- name: refresh_names
-- Purpose: make search_name what the taxonomy and the served skills say. A key that two things have looks for both.
-- Inputs: names, kinds and meanings (canonical skill, domain, country or level; '' for others), as equally long lists.
-- Grain: one row per key.
CREATE TEMPORARY TABLE search_name_in ON COMMIT DROP AS
WITH given AS (
  SELECT synthesis.skill_key(g.name) AS key, g.name, g.kind, g.meaning
  FROM unnest(%(names)s::text[], %(kinds)s::"char"[], %(meanings)s::text[]) AS g (name, kind, meaning)
  UNION
  SELECT rtrim(synthesis.skill_key(g.name), 's'), g.name, 'd', g.meaning
  FROM unnest(%(names)s::text[], %(kinds)s::"char"[], %(meanings)s::text[]) AS g (name, kind, meaning) WHERE g.kind = 'd'
  UNION
  SELECT synthesis.skill_key(skill), skill, 's', skill
  FROM (SELECT DISTINCT unnest(skills) AS skill FROM synthesis.candidate_synthesis) AS served
  WHERE NOT EXISTS (SELECT FROM unnest(%(names)s::text[], %(kinds)s::"char"[]) AS g (name, kind)
                    WHERE g.kind = 's' AND g.name = skill)
),
-- The names in plain text. Short ones and those with marks are other words to the text parser.
texts AS (
  SELECT kind, meaning, string_agg(DISTINCT '(' || phrase::text || ')', '|')::tsquery AS query
  FROM (
    SELECT kind, meaning, phraseto_tsquery('english', name) AS phrase,
      row_number() OVER (PARTITION BY kind, meaning ORDER BY name = meaning DESC, length(name), name) AS place
    FROM given
    WHERE kind IN ('s', 'c') AND length(key) >= 3 AND name !~ '[+#]' AND name !~ '^\.'
  ) AS named
  WHERE place <= 6 AND numnode(phrase) > 0
  GROUP BY kind, meaning
),
made AS (
  SELECT g.key, g.kind,
    CASE g.kind
      WHEN 's' THEN concat_ws('|', synthesis.quoted_lexeme('s:' || synthesis.skill_key(g.meaning)),
                              CASE WHEN g.name ~ '[+#./]' THEN synthesis.quoted_lexeme('m:' || g.key) END, t.query)::tsquery
      WHEN 'c' THEN coalesce(synthesis.quoted_lexeme('c:' || lower(g.meaning))::tsquery || t.query,
                             synthesis.quoted_lexeme('c:' || lower(g.meaning))::tsquery)
      WHEN 'd' THEN synthesis.quoted_lexeme('d:' || synthesis.skill_key(g.meaning))::tsquery
                    || phraseto_tsquery('english', g.name)
      WHEN 'l' THEN (SELECT string_agg(synthesis.quoted_lexeme(l.lexeme) || ':A', '|')::tsquery
                     FROM given AS o CROSS JOIN LATERAL unnest(tsvector_to_array(to_tsvector('english', o.name))) AS l (lexeme)
                     WHERE o.kind = 'l' AND o.meaning = g.meaning AND o.name !~ '[ -]')
    END AS query
  FROM given AS g LEFT JOIN texts AS t USING (kind, meaning)
  WHERE g.key <> ''
)
SELECT key, (array_agg(kind ORDER BY position(kind::text IN 'xioylscd')))[1] AS kind,
  string_agg(DISTINCT '(' || query::text || ')', '|')
    FILTER (WHERE NOT (kind IN ('s', 'd', 'c') AND is_function_word))::tsquery AS query
FROM (SELECT m.*, bool_or(kind IN ('x', 'i', 'o', 'y', 'l')) OVER (PARTITION BY key) AS is_function_word FROM made AS m) AS m
GROUP BY key;
DELETE FROM synthesis.search_name AS n WHERE NOT EXISTS (SELECT FROM search_name_in AS i WHERE i.key = n.key);
INSERT INTO synthesis.search_name AS n (key, kind, query)
SELECT key, kind, query FROM search_name_in
ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, query = excluded.query
WHERE (n.kind, n.query::text) IS DISTINCT FROM (excluded.kind, excluded.query::text)

-- name: refresh_terms
-- Purpose: which share of people has a lexeme, from a sample; a rare word then counts for more than a common one.
-- Inputs: none. Grain: one row per lexeme that three people of the sample have.
WITH sampled AS (
  SELECT count(*) AS people
  FROM (SELECT FROM synthesis.document_search WHERE published_at IS NOT NULL ORDER BY hashint8(candidate_id) LIMIT 5000) AS s
),
counted AS (
  SELECT c.word AS lexeme, (c.ndoc::double precision / s.people)::real AS share
  FROM sampled AS s, ts_stat(
    'SELECT vector FROM synthesis.document_search WHERE published_at IS NOT NULL '
    'ORDER BY hashint8(candidate_id) LIMIT 5000') AS c
  WHERE c.ndoc >= 3
),
gone AS (
  DELETE FROM synthesis.search_term AS t WHERE NOT EXISTS (SELECT FROM counted AS c WHERE c.lexeme = t.lexeme)
)
INSERT INTO synthesis.search_term AS t (lexeme, share)
SELECT lexeme, share FROM counted
ON CONFLICT (lexeme) DO UPDATE SET share = excluded.share WHERE t.share <> excluded.share

-- name: select_extension
-- Purpose: whether an extension is installed in this database, and in which schema, or could be. Inputs: name.
-- Grain: one row.
SELECT
  (SELECT n.nspname FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
   WHERE e.extname = %(name)s) AS schema_name,
  EXISTS (SELECT FROM pg_available_extensions WHERE name = %(name)s) AS is_available
