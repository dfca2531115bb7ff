-- Purpose: weigh the parts of a query by what the sample of words can tell, count who has words of a name and not the whole,
--   and complete no name of which less than half was typed ("company" is no Company Valuation).
-- Grain: none. Applied once, in one transaction, by profiles.storage.migrations.

CREATE OR REPLACE FUNCTION synthesis.near_name(word text) RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE
AS $$
DECLARE
  found text;
  extension_schema text;
BEGIN
  SELECT n.key INTO found FROM synthesis.search_name AS n
  WHERE n.kind = 's' AND n.key LIKE replace(replace(word, '\', '\\'), '_', '\_') || '%' AND length(word) >= 4
    AND length(n.key) < 2 * length(word)
  ORDER BY length(n.key), n.key LIMIT 1;
  IF found IS NOT NULL THEN
    RETURN found;
  END IF;
  SELECT s.nspname INTO extension_schema
  FROM pg_extension AS e JOIN pg_namespace AS s ON s.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF extension_schema IS NOT NULL THEN
    EXECUTE format(
      'SELECT key FROM synthesis.search_name WHERE kind = ''s'' AND key OPERATOR(%1$I.%%) $1 '
      'AND %1$I.similarity(key, $1) >= 0.5 ORDER BY %1$I.similarity(key, $1) DESC, key LIMIT 1', extension_schema)
    INTO found USING word;
  END IF;
  RETURN found;
END $$;

-- kind: as in 0001_schema.sql, or n for the words of a name of several words, which rank and are not required.
CREATE OR REPLACE FUNCTION synthesis.read_query(query text)
RETURNS TABLE (kind "char", words text, is_excluded boolean, query_part tsquery, weight real, least_years smallint)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
DECLARE
  tokens text[];
  n integer;
  i integer := 1;
  taken integer;
  name synthesis.search_name;
  near text;
  excludes boolean := false;
  joins boolean := false;
  dashed boolean;
  last_word integer := -1;
  made tsquery;
  level tsquery;
  word text;
  kinds "char"[] := '{}';
  texts text[] := '{}';
  negated boolean[] := '{}';
  parts tsquery[] := '{}';
  years smallint[] := '{}';
  top integer := 0;
BEGIN
  FOR word, dashed IN
    SELECT m[2], m[1] = '-' FROM regexp_matches(left(query, 2000), '(-?)"([^"]+)"', 'g') AS m
  LOOP
    made := phraseto_tsquery('english', word);
    IF numnode(made) > 0 THEN
      top := top + 1;
      kinds[top] := 'q'; texts[top] := word; negated[top] := dashed; parts[top] := made; years[top] := NULL;
    END IF;
  END LOOP;
  SELECT coalesce(array_agg(t.token ORDER BY t.place), '{}') INTO tokens
  FROM (
    SELECT regexp_replace(p.token, '(^[.:’'']+(?![[:alnum:]]))|([.:’'']+$)', '', 'g') AS token, p.place
    FROM regexp_split_to_table(regexp_replace(left(query, 2000), '-?"[^"]*"', ' ', 'g'), '[\s,;()\[\]{}|“”„«»"!?·•]+')
      WITH ORDINALITY AS p (token, place)
  ) AS t
  WHERE t.token ~ '[[:alnum:]]' AND t.place <= 60;
  n := cardinality(tokens);
  WHILE i <= n LOOP
    dashed := tokens[i] ~ '^[-–][[:alnum:].]';
    IF dashed THEN
      tokens[i] := substr(tokens[i], 2);
    END IF;
    taken := 1;
    name := NULL;
    FOR size IN REVERSE least(4, n - i + 1) .. 1 LOOP
      SELECT * INTO name FROM synthesis.search_name AS s
      WHERE s.key = synthesis.skill_key(array_to_string(tokens[i : i + size - 1], ' '));
      IF FOUND THEN
        taken := size;
        EXIT;
      END IF;
      name := NULL;
    END LOOP;
    word := array_to_string(tokens[i : i + taken - 1], ' ');
    IF name.kind = 'x' THEN
      excludes := true;
    ELSIF name.kind = 'o' THEN
      joins := top > 0;
    ELSIF name.kind = 'i' THEN
      NULL;
    ELSIF name.kind IS NULL AND tokens[i] ~ '^\d{1,2}\+?$' AND i < n AND EXISTS (
      SELECT FROM synthesis.search_name AS s
      WHERE s.kind = 'y' AND s.key = synthesis.skill_key(tokens[i + 1]))
    THEN
      top := top + 1;
      kinds[top] := 'y'; texts[top] := tokens[i] || ' ' || tokens[i + 1]; negated[top] := excludes; parts[top] := NULL;
      years[top] := rtrim(tokens[i], '+')::smallint;
      excludes := false;
      taken := 2;
    ELSE
      made := name.query;
      level := NULL;
      IF name.kind = 'l' THEN
        -- "Staff Nurse" is no senior one: the word itself is asked for, others of its level in a title only rank.
        level := name.query;
        name := NULL;
        made := NULL;
      END IF;
      IF name.kind IS NULL OR name.kind = 'y' THEN
        IF word ~ '^[[:alnum:]]{2,}\*$' THEN
          made := to_tsquery('simple', rtrim(synthesis.plain(word), '*') || ':*');
        ELSE
          made := plainto_tsquery('english', word) || plainto_tsquery('simple', synthesis.plain(word));
          IF numnode(plainto_tsquery('english', word)) = 0 THEN
            made := ''::tsquery;
          END IF;
          -- A name that the text parser would break: C++, .NET, TCP/IP.
          IF word ~ '[+#./]' THEN
            made := made || synthesis.quoted_lexeme('s:' || synthesis.skill_key(word))::tsquery;
          END IF;
          IF numnode(made) > 0 AND length(word) >= 4 AND NOT synthesis.is_known(made) THEN
            near := synthesis.near_name(synthesis.skill_key(word));
            IF near IS NOT NULL THEN
              SELECT * INTO name FROM synthesis.search_name AS s WHERE s.key = near;
              made := made || name.query;
              word := near;
            END IF;
          END IF;
        END IF;
      END IF;
      IF numnode(made) > 0 THEN
        IF joins THEN
          parts[top] := parts[top] || made;
          texts[top] := texts[top] || ' or ' || word;
        ELSE
          top := top + 1;
          kinds[top] := coalesce(name.kind, 'w'); texts[top] := word; negated[top] := excludes OR dashed;
          parts[top] := made; years[top] := NULL;
          IF last_word = i - 1 AND NOT negated[top] THEN
            made := phraseto_tsquery('english', tokens[i - 1] || ' ' || tokens[i]);
            IF numnode(made) > 1 THEN
              -- Before the thing itself, so that `or` still finds it on top.
              kinds := kinds[: top - 1] || 'p'::"char" || kinds[top :];
              texts := texts[: top - 1] || (tokens[i - 1] || ' ' || tokens[i]) || texts[top :];
              negated := negated[: top - 1] || false || negated[top :];
              parts := parts[: top - 1] || made || parts[top :];
              years := years[: top - 1] || NULL::smallint || years[top :];
              top := top + 1;
            END IF;
          END IF;
        END IF;
        IF name.kind IN ('s', 'd') AND strpos(word, ' ') > 0 THEN
          -- Who has words of a name and not the whole counts too.
          level := replace(plainto_tsquery('english', word)::text, '&', '|')::tsquery;
        END IF;
        IF numnode(level) > 0 AND NOT negated[top] AND NOT joins THEN
          kinds := kinds[: top - 1] || CASE name.kind WHEN 's' THEN 'n' WHEN 'd' THEN 'n' ELSE 'l' END::"char" || kinds[top :];
          texts := texts[: top - 1] || word || texts[top :];
          negated := negated[: top - 1] || false || negated[top :];
          parts := parts[: top - 1] || level || parts[top :];
          years := years[: top - 1] || NULL::smallint || years[top :];
          top := top + 1;
        END IF;
        IF NOT negated[top] THEN
          last_word := i + taken - 1;
        END IF;
        excludes := false;
      END IF;
      joins := false;
    END IF;
    i := i + taken;
  END LOOP;
  RETURN QUERY
  SELECT t.kind, t.words, t.is_excluded, t.part,
    (0.2 - ln((
      -- The commonest of its alternatives, of which the rarest word decides. Nothing is rarer than what the sample can tell.
      SELECT max(a.share) FROM (
        SELECT min(coalesce(s.share, (SELECT min(share) FROM synthesis.search_term), 0.0005)) AS share
        FROM regexp_split_to_table(t.part::text, ' \| ') WITH ORDINALITY AS o (alternative, place)
        CROSS JOIN LATERAL regexp_matches(o.alternative, '''((?:[^'']|'''')+)''', 'g') AS m
        LEFT JOIN synthesis.search_term AS s ON s.lexeme = m[1]
        GROUP BY o.place) AS a)))::real,
    t.years
  FROM unnest(kinds, texts, negated, parts, years) WITH ORDINALITY
    AS t (kind, words, is_excluded, part, years, place)
  ORDER BY t.place;
END $$;

CREATE OR REPLACE FUNCTION synthesis.search_candidates(
  query text, skills text[] DEFAULT '{}', domains text[] DEFAULT '{}', k integer DEFAULT 20, meaning real[] DEFAULT NULL
)
RETURNS TABLE (candidate_id bigint, score double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET work_mem = '16MB' SET jit = off
SET max_parallel_workers_per_gather = 0
AS $$
#variable_conflict use_column
DECLARE
  bound integer := greatest(400, least(2 * k, 2000));
  filter tsquery := ''::tsquery;
  banned tsquery := ''::tsquery;
  kinds "char"[];
  parts tsquery[];
  weights real[];
  least_years smallint;
  required tsquery[];
  number integer;
  found bigint[] := '{}';
  by_meaning bigint[] := '{}';
BEGIN
  SELECT
    coalesce(array_agg(r.kind) FILTER (WHERE is_wanted), '{}'), coalesce(array_agg(r.query_part) FILTER (WHERE is_wanted), '{}'),
    coalesce(array_agg(r.weight) FILTER (WHERE is_wanted), '{}'), max(r.least_years) FILTER (WHERE NOT r.is_excluded),
    coalesce(string_agg('(' || r.query_part::text || ')', '|') FILTER (WHERE r.is_excluded), '')::tsquery
  INTO kinds, parts, weights, least_years, banned
  FROM (SELECT *, NOT is_excluded AND query_part IS NOT NULL AS is_wanted FROM synthesis.read_query(query)) AS r;
  SELECT coalesce(string_agg(
    coalesce((SELECT '(' || n.query::text || ')' FROM synthesis.search_name AS n
              WHERE n.key = synthesis.skill_key(s) AND n.kind = 's'),
             synthesis.quoted_lexeme('s:' || synthesis.skill_key(s))), '&')::tsquery, ''::tsquery)
  INTO filter FROM unnest(skills) AS s;
  filter := filter && coalesce((
    SELECT string_agg(synthesis.quoted_lexeme('d:' || synthesis.skill_key(d)), '|')::tsquery FROM unnest(domains) AS d),
    ''::tsquery);
  -- The rarest first.
  SELECT coalesce(array_agg(t.part ORDER BY t.weight DESC), '{}') INTO required
  FROM unnest(kinds, parts, weights) AS t (kind, part, weight) WHERE t.kind NOT IN ('p', 'l', 'n');
  required := required[:8];
  number := cardinality(required);
  IF number = 0 AND numnode(filter) > 0 THEN
    required := ARRAY[filter];
    number := 1;
  END IF;
  -- All, all but one beginning with the commonest, then each alone beginning with the rarest.
  FOR step IN 0 .. CASE WHEN number > 2 THEN 2 * number ELSE number END LOOP
    EXIT WHEN cardinality(found) >= bound OR number = 0;
    DECLARE
      wanted tsquery := ''::tsquery;
      missing integer := bound - cardinality(found);
    BEGIN
      FOR j IN 1 .. number LOOP
        IF step = 0 OR (number > 2 AND step <= number AND j <> number + 1 - step)
          OR (step > CASE WHEN number > 2 THEN number ELSE 0 END AND j = step - CASE WHEN number > 2 THEN number ELSE 0 END)
        THEN
          wanted := wanted && required[j];
        END IF;
      END LOOP;
      found := found || ARRAY(
        SELECT s.candidate_id FROM synthesis.candidate_synthesis AS s
        WHERE s.search @@ (wanted && filter) AND s.candidate_id <> ALL (found) LIMIT missing);
      missing := bound - cardinality(found);
      IF missing > 0 THEN
        IF numnode(filter) > 0 THEN
          found := found || ARRAY(
            SELECT v.candidate_id FROM synthesis.document_search AS v
            JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = v.candidate_id
            WHERE v.vector @@ wanted AND s.search @@ filter AND v.candidate_id <> ALL (found) LIMIT missing);
        ELSE
          found := found || ARRAY(
            SELECT v.candidate_id FROM synthesis.document_search AS v
            WHERE v.vector @@ wanted AND v.candidate_id <> ALL (found) LIMIT missing);
        END IF;
      END IF;
    END;
  END LOOP;
  IF meaning IS NOT NULL THEN
    by_meaning := synthesis.nearest_candidates(meaning, 200);
  END IF;
  RETURN QUERY
  WITH text AS MATERIALIZED (
    SELECT s.candidate_id, s.search || ''::tsvector AS profile, coalesce(v.vector || ''::tsvector, ''::tsvector) AS document,
      s.years_of_experience AS years, f.id IS NOT NULL AS is_by_words, m.place AS meaning_place
    FROM (SELECT DISTINCT id FROM unnest(found) AS id) AS f
    FULL JOIN unnest(by_meaning) WITH ORDINALITY AS m (id, place) ON m.id = f.id
    JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = coalesce(f.id, m.id)
    LEFT JOIN synthesis.document_search AS v ON v.candidate_id = s.candidate_id
  ),
  scored AS (
    SELECT t.candidate_id, t.is_by_words, t.meaning_place, r.score *
      CASE WHEN least_years IS NULL OR t.years >= least_years THEN 1 ELSE 0.5 END AS score
    FROM text AS t
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(q.weight * h.hit), 0) * (0.2 + coalesce(
          sum(q.weight) FILTER (WHERE q.kind NOT IN ('p', 'l') AND h.hit > 0)
          / nullif(sum(q.weight) FILTER (WHERE q.kind NOT IN ('p', 'l')), 0), 0))
        AS score
      FROM unnest(kinds, parts, weights) AS q (kind, part, weight)
      CROSS JOIN LATERAL (
        -- ts_rank takes no notice of phrases within alternatives, so a name is there or not; a word counts by how often
        -- and where it stands.
        SELECT CASE
          WHEN q.kind = 'l' THEN CASE WHEN t.profile @@ q.part THEN 0.3 ELSE 0 END
          WHEN q.kind IN ('s', 'd', 'c') THEN
            CASE WHEN t.profile @@ q.part THEN 0.8 ELSE 0 END + CASE WHEN t.document @@ q.part THEN 0.3 ELSE 0 END
          WHEN q.kind IN ('w', 'n') THEN CASE q.kind WHEN 'n' THEN 0.5 ELSE 1 END * (
            coalesce(0.3 + nullif(ts_rank('{1, 0.5, 0.4, 1}', t.profile, q.part), 0), 0)
            + coalesce(0.1 + 0.5 * nullif(ts_rank('{0.6, 0, 0, 0}', t.document, q.part), 0), 0))
          ELSE
            CASE WHEN t.profile @@ q.part THEN 0.3 + ts_rank('{0, 0.3, 0.3, 1}', t.profile, q.part) ELSE 0 END
            + CASE WHEN t.document @@ q.part THEN 0.3 ELSE 0 END
          END AS hit
      ) AS h
    ) AS r
    WHERE (numnode(filter) = 0 OR t.profile @@ filter)
      AND (numnode(banned) = 0 OR NOT (t.profile @@ banned OR t.document @@ banned))
  ),
  placed AS (
    SELECT s.candidate_id, s.score, s.meaning_place,
      CASE WHEN s.is_by_words THEN row_number() OVER (ORDER BY s.is_by_words DESC, s.score DESC, s.candidate_id) END AS place
    FROM scored AS s
  )
  SELECT p.candidate_id,
    CASE WHEN meaning IS NULL THEN p.score
    ELSE coalesce(1.0 / (60 + p.place), 0) + coalesce(0.5 / (60 + p.meaning_place), 0) END::double precision AS score
  FROM placed AS p
  ORDER BY 2 DESC, 1
  LIMIT k;
END $$;
