-- Purpose: make search_name what the taxonomy and the served skills say. A key that two things have looks for both.
-- Inputs: names, kinds and meanings (canonical skill, domain, country or level; '' for others), as equally long lists.
-- Grain: one row per key.
CREATE TEMPORARY TABLE search_name_in ON COMMIT DROP AS
WITH given AS (
  SELECT synthesis.skill_key(g.name) AS key, g.name, g.kind, g.meaning
  FROM unnest(%(names)s::text[], %(kinds)s::"char"[], %(meanings)s::text[]) AS g (name, kind, meaning)
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
      WHEN 's' THEN coalesce(synthesis.quoted_lexeme('s:' || synthesis.skill_key(g.meaning))::tsquery || t.query,
                             synthesis.quoted_lexeme('s:' || synthesis.skill_key(g.meaning))::tsquery)
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
