-- The functions of the search. Applied again whenever this file changes.

-- The vector of a document (D): names that the text parser would break are m: (mentioned), and so are the words of "TCP/IP".
CREATE OR REPLACE FUNCTION synthesis.document_vector(markdown text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN to_tsvector('english'::regconfig, markdown) || array_to_tsvector(ARRAY(
  SELECT DISTINCT name.lexeme
  FROM regexp_matches(markdown, '(?:[[:alnum:]]{1,20}(?:[+#]{1,2}|[./][[:alnum:]]{1,20}[+#]{0,2})|\.[[:alpha:]]{2,20})', 'g') AS found,
    LATERAL (
      SELECT 'm:' || synthesis.skill_key(found[1])
      UNION ALL SELECT part FROM regexp_split_to_table(lower(found[1]), '[./]') AS part WHERE part ~ '^[[:alpha:]]{2,}$'
    ) AS name (lexeme)));

-- The vector of document_search: profile, document and one of 64 groups (b:), by which a search for common words takes some
-- people instead of all.
CREATE OR REPLACE FUNCTION synthesis.person_vector(candidate_id bigint, profile tsvector, markdown text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(profile, ''::tsvector) || synthesis.document_vector(markdown)
  || array_to_tsvector(ARRAY['b:' || (hashint8(candidate_id) & 63)]);

-- The name of a skill nearest to a word that nobody's text has: one that begins with it and of which it is more than half,
-- else, with pg_trgm, one that differs by little. Null for none.
CREATE OR REPLACE FUNCTION synthesis.near_name(word text) RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET pg_trgm.similarity_threshold = 0.5
AS $$
DECLARE
  found text;
  extension_schema text;
BEGIN
  SELECT n.key INTO found FROM synthesis.search_name AS n
  WHERE n.kind = 's' AND n.key ~>=~ word AND n.key ~<~ (word || U&'\+10FFFF') AND length(word) >= 4
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
      'ORDER BY %1$I.similarity(key, $1) DESC, key LIMIT 1', extension_schema)
    INTO found USING word;
  END IF;
  RETURN found;
END $$;

-- How a query is read: one row per thing that it asks for, in order. A name of up to four words that search_name knows is
-- one thing, else each word is; "a phrase", -without, "not without", `or` and prefix* work. Two neighbours also count as
-- a phrase, which ranks and is not required.
-- kind: as search_name.kind, or w word, q quoted phrase, p neighbours, n a word of a name of several words (which ranks and is
-- not required), y years (least_years has their number). weight: the rarer it is, the more it counts.
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
  name_kinds "char"[];
  name_queries tsquery[];
  name_kind "char";
  made tsquery;
  near text;
  excludes boolean := false;
  joins boolean := false;
  dashed boolean;
  last_word integer := -1;
  level tsquery;
  word text;
  piece text;
  kinds "char"[] := '{}';
  texts text[] := '{}';
  negated boolean[] := '{}';
  parts tsquery[] := '{}';
  years smallint[] := '{}';
  top integer := 0;
  last integer := 0;
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
    FROM regexp_split_to_table(regexp_replace(left(query, 2000), '-?"[^"]*"', ' ', 'g'), '[\s[:cntrl:],;()\[\]{}|“”„«»"!?·•]+')
      WITH ORDINALITY AS p (token, place)
  ) AS t
  WHERE t.token ~ '[[:alnum:]]' AND t.place <= 60;
  n := cardinality(tokens);
  -- What search_name knows of one to four words from each on, at once.
  SELECT array_agg(s.kind ORDER BY k.place), array_agg(s.query ORDER BY k.place) INTO name_kinds, name_queries
  FROM unnest(synthesis.skill_keys(ARRAY(
    SELECT array_to_string(tokens[start : start + size - 1], ' ')
    FROM generate_series(1, n) AS start, generate_series(1, 4) AS size ORDER BY start, size
  ))) WITH ORDINALITY AS k (key, place)
  LEFT JOIN synthesis.search_name AS s ON s.key = k.key;
  WHILE i <= n LOOP
    dashed := tokens[i] ~ '^[-–][[:alnum:].]';
    IF dashed THEN
      tokens[i] := substr(tokens[i], 2);
    END IF;
    taken := least(4, n - i + 1);
    WHILE taken > 1 AND name_kinds[4 * i - 4 + taken] IS NULL LOOP
      taken := taken - 1;
    END LOOP;
    name_kind := name_kinds[4 * i - 4 + taken];
    made := name_queries[4 * i - 4 + taken];
    word := array_to_string(tokens[i : i + taken - 1], ' ');
    IF name_kind = 'c' AND length(word) = 2 AND word = lower(word) AND query <> lower(query) THEN
      name_kind := CASE word WHEN 'us' THEN 'i' END;  -- "us" among words with capitals is no United States
    END IF;
    IF name_kind = 'x' THEN
      excludes := true;
    ELSIF name_kind = 'o' THEN
      joins := last > 0;
    ELSIF name_kind = 'i' THEN
      NULL;
    ELSIF name_kind IS NULL AND tokens[i] ~ '^\d{1,2}\+?$' AND i < n AND name_kinds[4 * i + 1] = 'y' THEN
      top := top + 1;
      kinds[top] := 'y'; texts[top] := tokens[i] || ' ' || tokens[i + 1]; negated[top] := excludes; parts[top] := NULL;
      years[top] := rtrim(tokens[i], '+')::smallint;
      excludes := false;
      taken := 2;
    ELSE
      level := NULL;
      IF name_kind = 'l' THEN
        -- "Staff Nurse" is no senior one: the word itself is asked for, others of its level in a title only rank.
        level := made;
        name_kind := NULL;
      END IF;
      IF name_kind IS NULL OR name_kind = 'y' THEN
        name_kind := NULL;
        IF word ~ '^[[:alnum:]]{2,}\*$' THEN
          made := to_tsquery('simple', rtrim(synthesis.plain(word), '*') || ':*');
        ELSE
          made := plainto_tsquery('english', word) || plainto_tsquery('simple', synthesis.plain(word));
          IF numnode(plainto_tsquery('english', word)) = 0 THEN
            made := ''::tsquery;
          END IF;
          -- A name that the text parser would break: C++, .NET, TCP/IP.
          IF word ~ '[+#./]' THEN
            made := made || format('%s | %s', synthesis.quoted_lexeme('s:' || synthesis.skill_key(word)),
              synthesis.quoted_lexeme('m:' || synthesis.skill_key(word)))::tsquery;
          END IF;
          IF numnode(made) > 0 AND length(word) >= 4
            AND NOT EXISTS (SELECT FROM synthesis.search_term AS s WHERE s.lexeme = ANY (
              tsvector_to_array(to_tsvector('english', word) || to_tsvector('simple', synthesis.plain(word)))))
            AND NOT EXISTS (SELECT FROM synthesis.document_search AS v WHERE v.vector @@ made)
          THEN
            near := synthesis.near_name(synthesis.skill_key(word));
            IF near IS NOT NULL THEN
              SELECT s.kind, made || s.query INTO name_kind, made FROM synthesis.search_name AS s WHERE s.key = near;
              word := near;
            ELSE
              made := ''::tsquery;  -- Nobody has it.
            END IF;
          END IF;
        END IF;
      END IF;
      IF numnode(made) > 0 AND joins THEN
        parts[last] := parts[last] || made;
        texts[last] := texts[last] || ' or ' || word;
        excludes := false;
      ELSIF numnode(made) > 0 THEN
        top := top + 1;
        last := top;
        kinds[top] := coalesce(name_kind, 'w'); texts[top] := word; negated[top] := excludes OR dashed;
        parts[top] := made; years[top] := NULL;
        excludes := false;
        IF NOT negated[last] THEN
          made := phraseto_tsquery('english', tokens[i - 1] || ' ' || tokens[i]);
          IF last_word = i - 1 AND numnode(made) > 1 THEN
            top := top + 1;
            kinds[top] := 'p'; texts[top] := tokens[i - 1] || ' ' || tokens[i]; negated[top] := false;
            parts[top] := made; years[top] := NULL;
          END IF;
          IF numnode(level) > 0 THEN
            top := top + 1;
            kinds[top] := 'l'; texts[top] := word; negated[top] := false; parts[top] := level; years[top] := NULL;
          END IF;
          -- Who has words of a name and not the whole counts too.
          FOREACH piece IN ARRAY CASE WHEN name_kind IN ('s', 'd') AND strpos(word, ' ') > 0
            THEN tsvector_to_array(to_tsvector('english', word)) ELSE '{}' END
          LOOP
            top := top + 1;
            kinds[top] := 'n'; texts[top] := piece; negated[top] := false; years[top] := NULL;
            parts[top] := synthesis.quoted_lexeme(piece)::tsquery;
          END LOOP;
          last_word := i + taken - 1;
        END IF;
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

-- The k best people for a query as a recruiter types it, by words and, with `meaning`, also by vector.
--   query    words, names of skills under any of their spellings, domains, places, years; "a phrase", -without, or, prefix*
--   skills   names of skills that all have to be there, under any spelling
--   domains  of which one has to be there
--   meaning  the vector of the query by the model that made candidate_embedding; who is near gains by it
-- Candidates are taken from the index, those with all that is asked first, then those that lack something, until there are
-- enough; of many that have all, those are scored that a rough rank puts first. So the cost does not grow with the number of
-- matches. It runs as its owner, because it reads vectors of documents; it returns ids alone.
CREATE OR REPLACE FUNCTION synthesis.search_candidates(
  query text, skills text[] DEFAULT '{}', domains text[] DEFAULT '{}', k integer DEFAULT 20, meaning real[] DEFAULT NULL
)
RETURNS TABLE (candidate_id bigint, score double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET client_min_messages = warning SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET work_mem = '16MB' SET jit = off
SET max_parallel_workers_per_gather = 0
AS $$
#variable_conflict use_column
DECLARE
  bound integer := greatest(125, least(2 * k, 2000));
  must tsquery := ''::tsquery;
  banned tsquery := ''::tsquery;
  kinds "char"[];
  parts tsquery[];
  lexemes CONSTANT text := '(''(?:[^'']|'''')+'')(?::(\*?)[ABCD]*)?';
  among_names tsquery[];
  among_places tsquery[];
  in_summary tsquery[];
  weights real[];
  least_years smallint;
  required tsquery[];
  shares double precision[];
  rough tsquery;
  people double precision;
  together double precision;
  texts text[];
  levels text[];
  expected double precision[];
  number integer;
  found bigint[] := '{}';
  by_meaning bigint[] := '{}';
  asked text[];
BEGIN
  SELECT
    coalesce(array_agg(r.kind) FILTER (WHERE is_wanted), '{}'), coalesce(array_agg(r.query_part) FILTER (WHERE is_wanted), '{}'),
    -- The same among skills and title, in domains, employer and place, and in the summary. Exact names have no weight.
    coalesce(array_agg(regexp_replace(r.query_part::text, lexemes, '\1:\2A', 'g')::tsquery) FILTER (WHERE is_wanted), '{}'),
    coalesce(array_agg(regexp_replace(r.query_part::text, lexemes, '\1:\2C', 'g')::tsquery) FILTER (WHERE is_wanted), '{}'),
    coalesce(array_agg(regexp_replace(r.query_part::text, lexemes, '\1:\2B', 'g')::tsquery) FILTER (WHERE is_wanted), '{}'),
    coalesce(array_agg(r.weight) FILTER (WHERE is_wanted), '{}'), max(r.least_years) FILTER (WHERE NOT r.is_excluded),
    coalesce(string_agg('(' || r.query_part::text || ')', '|') FILTER (WHERE r.is_excluded), '')::tsquery
  INTO kinds, parts, among_names, among_places, in_summary, weights, least_years, banned
  FROM (SELECT *, NOT is_excluded AND query_part IS NOT NULL AS is_wanted FROM synthesis.read_query(query)) AS r;
  SELECT coalesce(string_agg('(' || coalesce(
    (SELECT string_agg(m[1], '|') FROM synthesis.search_name AS n,
       regexp_matches(n.query::text, '(''s:(?:[^'']|'''')+'')', 'g') AS m
     WHERE n.key = synthesis.skill_key(s) AND n.kind = 's'),
    synthesis.quoted_lexeme('s:' || synthesis.skill_key(s))) || ')', '&')::tsquery, ''::tsquery)
  INTO must FROM unnest(skills) AS s;
  must := must && coalesce((
    SELECT string_agg(synthesis.quoted_lexeme('d:' || synthesis.skill_key(d)), '|')::tsquery FROM unnest(domains) AS d),
    ''::tsquery);
  -- The rarest first.
  SELECT coalesce(array_agg(t.part ORDER BY t.weight DESC), '{}'), array_agg(exp(0.2 - t.weight) ORDER BY t.weight DESC)
  INTO required, shares
  FROM unnest(kinds, parts, weights) AS t (kind, part, weight) WHERE t.kind NOT IN ('p', 'l', 'n');
  rough := (SELECT string_agg('(' || p::text || ')', '|')::tsquery FROM unnest(required[:8]) AS p);
  -- What a third of all people have finds nobody: it only ranks, unless hardly anything else is asked for.
  number := least(8, greatest(CASE WHEN numnode(must) > 0 THEN 0 ELSE 2 END,
    (SELECT count(*) FROM unnest(shares) AS share WHERE share < 0.3)));
  required := required[:number];
  shares := shares[:number];
  number := cardinality(required);
  IF number = 0 AND numnode(must) > 0 THEN
    required := ARRAY[must];
    shares := '{0.01}';
    number := 1;
  END IF;
  rough := coalesce(rough, must);
  people := (SELECT greatest(c.reltuples, 0) FROM pg_class AS c WHERE c.oid = 'synthesis.document_search'::regclass);
  IF numnode(banned) > 0 THEN
    must := must && !! banned;
  END IF;
  together := (SELECT exp(sum(ln(share))) FROM unnest(shares) AS share);
  -- With all that is asked, with all but one of it, with two of it beginning with the rarest, then with one. Alternatives are
  -- asked apart: the index would read the commonest for all of them.
  texts := ARRAY(SELECT '(' || r::text || ')' FROM unnest(required) AS r);
  levels := ARRAY[array_to_string(texts, '&')];
  expected := ARRAY[together];
  FOR j IN REVERSE CASE WHEN number > 2 THEN number ELSE 0 END .. 1 LOOP
    levels := levels || array_to_string(texts[: j - 1] || texts[j + 1 :], '&');
    expected := expected || together / shares[j];
  END LOOP;
  FOR j IN 1 .. CASE WHEN number > 3 THEN number - 1 ELSE 0 END LOOP
    levels := levels || format('%s & (%s)', texts[j], array_to_string(texts[j + 1 :], '|'));
    expected := expected || shares[j] * least(1, (SELECT sum(share) FROM unnest(shares[j + 1 :]) AS share));
  END LOOP;
  IF number > 1 THEN
    levels := levels || texts;
    expected := expected || shares;
  END IF;
  FOR step IN 1 .. cardinality(levels) LOOP
    EXIT WHEN cardinality(found) >= bound OR number = 0;
    DECLARE
      wanted tsquery := must && levels[step]::tsquery;
      groups integer;
      before integer := cardinality(found);
    BEGIN
      -- Of very many take some groups of people, others for another query.
      groups := ceil(64 * 2 * bound / greatest(people * expected[step], 1));
      IF groups <= 8 THEN
        found := found || synthesis.take_candidates(
          wanted && (SELECT string_agg(format('''b:%s''', (hashtext(query) + g) & 63), '|')::tsquery
                     FROM generate_series(1, groups) AS g),
          rough, found, bound - before);
      END IF;
      IF groups > 8 OR cardinality(found) < bound THEN
        found := found || synthesis.take_candidates(wanted, rough, found, bound - cardinality(found));
      END IF;
    END;
  END LOOP;
  asked := ARRAY(
    SELECT m[1] FROM unnest(parts) AS p, regexp_matches(p::text, '''((?:[^'']|'''')+)''', 'g') AS m);
  IF meaning IS NOT NULL THEN
    by_meaning := synthesis.nearest_candidates(meaning, 200);
  END IF;
  RETURN QUERY
  WITH read AS (
    -- One out of line is fetched once.
    SELECT c.id, c.place, s.years_of_experience AS years, to_tsvector('english'::regconfig, coalesce(s.title, '')) AS title,
      CASE WHEN pg_column_size(v.vector) > 7900 THEN v.vector || ''::tsvector ELSE coalesce(v.vector, '') END AS vector
    FROM (SELECT f.id, m.place FROM (SELECT unnest(found) UNION SELECT unnest(by_meaning)) AS f (id)
          LEFT JOIN unnest(by_meaning) WITH ORDINALITY AS m (id, place) USING (id)) AS c
    JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = c.id
    LEFT JOIN synthesis.document_search AS v ON v.candidate_id = c.id
  ),
  scored AS (
    SELECT t.id, t.place, r.score * CASE WHEN least_years IS NULL OR t.years >= least_years THEN 1 ELSE 0.5 END
      -- The more of the title was asked for, the better: "data engineer" means no data engineering manager first.
      * (1.15 - 0.15 * coalesce(length(ts_delete(t.title, asked))::double precision / nullif(length(t.title), 0), 1)) AS score
    FROM (SELECT *, 0.6 + 0.4 * length(vector) / greatest(avg(length(vector)) OVER (), 1) AS size FROM read) AS t
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(q.weight * h.hit), 0) * (0.2 + coalesce(
          sum(q.weight) FILTER (WHERE q.kind NOT IN ('p', 'l') AND h.hit > 0)
          / nullif(sum(q.weight) FILTER (WHERE q.kind NOT IN ('p', 'l')), 0), 0)) AS score
      FROM unnest(kinds, parts, among_names, among_places, in_summary, weights)
        AS q (kind, part, named, placed, told, weight)
      CROSS JOIN LATERAL (
        SELECT CASE
          WHEN NOT t.vector @@ q.part THEN 0
          WHEN q.kind = 'l' THEN 0.3
          -- ts_rank takes no notice of phrases within alternatives, so a name is there or not.
          WHEN q.kind IN ('s', 'd', 'c') THEN CASE WHEN t.vector @@ q.named THEN 1.1 ELSE 0.4 END
          -- A word counts as in BM25 by how often it is there, and more among skills, in the title and in the summary.
          WHEN q.kind IN ('w', 'n') THEN CASE q.kind WHEN 'n' THEN 0.25 ELSE 1 END * (
            0.35 * 2.2 * f.times / (f.times + 1.2 * t.size)
            + CASE WHEN t.vector @@ q.named THEN 0.8 ELSE 0 END + CASE WHEN t.vector @@ q.placed THEN 0.6 ELSE 0 END
            + CASE WHEN t.vector @@ q.told THEN 0.3 ELSE 0 END)
          ELSE 0.3 + 0.3 * sign(ts_rank('{0, 1, 1, 1}', t.vector, q.part)) + ts_rank('{0, 0.3, 0.3, 1}', t.vector, q.part)
          END AS hit
        FROM (
          -- ts_rank of one word sums 1, 1/4, 1/9, … by 1.645, so that it tells how often the word is there.
          SELECT 1 / (1.645 * (1 - least(0.98, ts_rank('{1, 1, 1, 1}', t.vector, q.part) * (numnode(q.part) + 1) / 2))) - 0.5
            AS times) AS f
      ) AS h
    ) AS r
    WHERE numnode(must) = 0 OR t.vector @@ must
  )
  SELECT p.id, (p.score / greatest((SELECT sum(weight) FROM unnest(weights) AS weight), 1)
    -- Who is near by meaning only gains: places among the nearest say less than words do.
    + coalesce(0.1 * 20 / (20 + p.place), 0))::double precision
  FROM scored AS p
  ORDER BY 2 DESC, 1
  LIMIT k;
END $$;

-- Some people with what is wanted, at most `missing`, without those of `known`; of more those that a rough rank puts first.
CREATE OR REPLACE FUNCTION synthesis.take_candidates(wanted tsquery, rough tsquery, known bigint[], missing integer) RETURNS bigint[]
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN ARRAY(
    SELECT m.candidate_id
    FROM (
      SELECT v.candidate_id, v.vector FROM synthesis.document_search AS v
      WHERE v.vector @@ wanted AND v.candidate_id <> ALL (known)
        AND v.published_at IS NOT NULL
      LIMIT 2 * missing) AS m
    ORDER BY ts_rank('{0.2, 0.4, 0.6, 1}', m.vector, rough) DESC, m.candidate_id LIMIT missing);
END $$;

-- The people whose vector is nearest, by pgvector's index where there is one, else by reading every vector of a model with so
-- many dimensions.
CREATE OR REPLACE FUNCTION synthesis.nearest_candidates(meaning real[], k integer) RETURNS bigint[]
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  vectors text;
  found bigint[];
  used text;
BEGIN
  SELECT e.model INTO used FROM synthesis.candidate_embedding AS e WHERE e.dimension = cardinality(meaning)
  ORDER BY e.embedded_at DESC LIMIT 1;
  SELECT n.nspname INTO vectors
  FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector';
  IF vectors IS NULL THEN
    RETURN ARRAY(
      SELECT e.candidate_id FROM synthesis.candidate_embedding AS e WHERE e.model = used
      ORDER BY synthesis.similarity(e.embedding, meaning) DESC, e.candidate_id LIMIT k);
  END IF;
  EXECUTE format(
    'SELECT array_agg(candidate_id ORDER BY distance, candidate_id) FROM (SELECT candidate_id, '
    'embedding::%1$I.vector(%2$s) OPERATOR(%1$I.<=>) $1::%1$I.vector(%2$s) AS distance '
    'FROM synthesis.candidate_embedding WHERE model = %3$L ORDER BY distance LIMIT $2) AS near',
    vectors, cardinality(meaning), used)
  INTO found USING meaning, k;
  RETURN coalesce(found, '{}');
END $$;

REVOKE ALL ON FUNCTION synthesis.search_candidates(text, text[], text[], integer, real[]) FROM PUBLIC;
