-- A word that nobody has is no part of a query, nor is the pronoun "us"; otherwise the function of 0001.
--
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
