-- name: all_keys
-- Purpose: the keys of all rows. Part of find_crowded. Grain: one key of one row.
synthesis.identity_key AS k

-- name: all_pairs
-- Purpose: rows m and o that share a key which is not generic, each pair once. Part of find_pairs. The planner joins in
-- this order there: the pairs of generic keys would be most of all. Grain: one key of two rows.
synthesis.identity_key AS m
LEFT JOIN synthesis.generic_key AS g ON g.kind = m.kind AND g.value = m.value
JOIN synthesis.identity_key AS o ON o.kind = m.kind AND o.value = m.value
WHERE g.kind IS NULL AND m.row_id < o.row_id

-- name: build_key_indexes
-- Purpose: the indexes that drop_key_indexes took off, as the schema made them. Grain: whole table.
CREATE INDEX identity_key_row ON synthesis.identity_key (row_id);
CREATE INDEX identity_key_value ON synthesis.identity_key (value, kind)

-- name: changed_keys
-- Purpose: the keys that changed rows hold, with all their holders. Part of find_crowded. Grain: one key of one row.
(SELECT DISTINCT kind, value FROM synthesis.identity_key JOIN changed USING (row_id)) AS mine
JOIN synthesis.identity_key AS k USING (kind, value)

-- name: changed_pairs
-- Purpose: like all_pairs, those of which one row m changed. Part of find_pairs. Grain: one key of two rows.
changed AS c
JOIN synthesis.identity_key AS m USING (row_id)
LEFT JOIN synthesis.generic_key AS g ON g.kind = m.kind AND g.value = m.value
JOIN synthesis.identity_key AS o ON o.kind = m.kind AND o.value = m.value AND m.row_id <> o.row_id
LEFT JOIN changed AS co ON co.row_id = o.row_id
WHERE g.kind IS NULL AND (co.row_id IS NULL OR m.row_id < o.row_id)

-- name: claim_decisions
-- Purpose: the decisions made or revoked since the last resolve; this one applies them.
-- Grain: one decision. Fills decided_anew.
WITH claimed AS (
  UPDATE synthesis.identity_decision SET applied_at = now() WHERE applied_at IS NULL
  RETURNING decision_id
)
INSERT INTO decided_anew (decision_id) SELECT decision_id FROM claimed

-- name: count_terms
-- Purpose: how many rows hold each term, and how many rows there are (''), as whole part of log2. Grain: one term.
CREATE TEMP TABLE term_now ON COMMIT DROP AS
SELECT t.term, floor(ln(count(*)) / ln(2) + 1e-9)::smallint AS frequency
FROM synthesis.identity_row AS r
CROSS JOIN LATERAL unnest(array_append(coalesce(r.terms, ARRAY[]::text[]), ''::text)) AS t (term)
GROUP BY t.term
HAVING count(*) >= %(least)s OR t.term = ''

-- name: count_undecided
-- Purpose: rows that are a person alone and state no mail, phone, LinkedIn name or member id that links: such a value,
-- or an employer where they name none, would decide. Grain: one row.
SELECT
  count(*),
  count(*) FILTER (WHERE NOT EXISTS (SELECT FROM unnest(r.terms) AS t (term) WHERE t.term LIKE '@%%'))
FROM synthesis.candidate_source AS s
JOIN synthesis.identity_row AS r USING (source, source_key)
WHERE s.rule = 'single' AND NOT EXISTS (
  SELECT
  FROM synthesis.identity_key AS k
  WHERE k.row_id = r.row_id AND k.kind <> ALL (%(weak_kinds)s) AND NOT EXISTS (
    SELECT FROM synthesis.generic_key AS g WHERE g.kind = k.kind AND g.value = k.value
  )
)

-- name: create_work_tables
-- Purpose: working tables and settings of one resolve, gone at its commit. A plan that is quick only for its first rows
-- would be slow.
SET LOCAL work_mem = '128MB';
SET LOCAL maintenance_work_mem = '256MB';
SET LOCAL jit = off;
SET LOCAL cursor_tuple_fraction = 1;
CREATE TEMP TABLE vanished (row_id bigint PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE touched_candidate (candidate_id bigint PRIMARY KEY) ON COMMIT DROP;
-- Records to read tonight, with the row_id they have or get. Grain: one source row.
CREATE TEMP TABLE unread (
  row_id bigint NOT NULL, source text NOT NULL, source_key text NOT NULL, record_hash text NOT NULL,
  is_new boolean NOT NULL
) ON COMMIT DROP;
-- What was read tonight of known rows; new ones are stored at once. Grain: one source row.
CREATE TEMP TABLE incoming (LIKE synthesis.identity_row) ON COMMIT DROP;
-- Rows whose pairs must be compared again.
CREATE TEMP TABLE changed (row_id bigint PRIMARY KEY) ON COMMIT DROP;
-- Keys whose quarantine may begin or end tonight; holders where find_crowded counted them.
CREATE TEMP TABLE touched_key (kind text, value text, holders bigint, PRIMARY KEY (value, kind)) ON COMMIT DROP;
CREATE TEMP TABLE generic_now (
  kind text, value text, reason text NOT NULL, PRIMARY KEY (kind, value)
) ON COMMIT DROP;
-- Rows whose person is decided again; step is the distance from a changed row.
CREATE TEMP TABLE affected (row_id bigint PRIMARY KEY, step integer NOT NULL) ON COMMIT DROP;
CREATE TEMP TABLE assigned (
  source text, source_key text, candidate_id bigint, own_id bigint, rule text, evidence jsonb
) ON COMMIT DROP;
-- Decisions that this resolve applies or takes back.
CREATE TEMP TABLE decided_anew (decision_id bigint PRIMARY KEY) ON COMMIT DROP;
-- Rows that a decision in force names; rows of one class are one person.
CREATE TEMP TABLE decided (
  source text, source_key text, class integer NOT NULL, PRIMARY KEY (source, source_key)
) ON COMMIT DROP;
CREATE TEMP TABLE unmerged (candidate_id bigint PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE new_candidate (candidate_id bigint PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE merge (winner bigint, loser bigint) ON COMMIT DROP;
CREATE TEMP TABLE move (previous bigint, candidate_id bigint, source_rows integer) ON COMMIT DROP

-- name: delete_old_keys
-- Purpose: drop the keys of rows that are read again and of vanished ones. Grain: one key of one row.
DELETE FROM synthesis.identity_key
WHERE row_id IN (SELECT row_id FROM unread WHERE NOT is_new UNION ALL SELECT row_id FROM vanished)

-- name: delete_ungeneric_keys
-- Purpose: keys that are no longer generic. Grain: one key.
DELETE FROM synthesis.generic_key AS g
USING touched_key AS t
WHERE t.kind = g.kind AND t.value = g.value
  AND NOT EXISTS (SELECT FROM generic_now AS n WHERE n.kind = g.kind AND n.value = g.value)

-- name: delete_vanished_rows
-- Purpose: forget rows that the sources no longer have. Grain: one identity row.
DELETE FROM synthesis.identity_row AS r USING vanished AS v WHERE v.row_id = r.row_id

-- name: drop_edges
-- Purpose: drop the pairs of changed and vanished rows; whoever was joined by one is decided again.
-- Grain: one pair. Fills affected.
WITH stale AS (
  SELECT row_id FROM changed UNION ALL SELECT row_id FROM vanished
), gone AS (
  DELETE FROM synthesis.identity_edge AS e
  USING (
    SELECT o.lo, o.hi FROM stale JOIN synthesis.identity_edge AS o ON o.lo = stale.row_id
    UNION
    SELECT o.lo, o.hi FROM stale JOIN synthesis.identity_edge AS o ON o.hi = stale.row_id
  ) AS old
  WHERE (e.lo, e.hi) = (old.lo, old.hi)
  RETURNING e.lo, e.hi
)
INSERT INTO affected (row_id, step)
SELECT f.row_id, 0
FROM (
  SELECT lo AS row_id FROM gone UNION SELECT hi FROM gone UNION SELECT row_id FROM changed
) AS f
WHERE NOT EXISTS (SELECT FROM vanished AS v WHERE v.row_id = f.row_id)

-- name: drop_key_indexes
-- Purpose: take the indexes off the identity keys before most of them are written. Locks the table until the transaction
--   ends. Grain: whole table.
DROP INDEX synthesis.identity_key_row, synthesis.identity_key_value

-- name: expand_affected
-- Purpose: one step outwards from the last affected rows: along accepted pairs, to all rows of the
-- candidates they belonged to, and to the rows that a human decision holds together with them. Grain: one identity row.
WITH frontier AS (
  SELECT a.row_id, r.source, r.source_key
  FROM affected AS a
  JOIN synthesis.identity_row AS r USING (row_id)
  WHERE a.step = %(step)s
)
INSERT INTO affected (row_id, step)
SELECT n.row_id, %(step)s + 1
FROM (
  SELECT e.hi AS row_id FROM frontier AS f JOIN synthesis.identity_edge AS e ON e.lo = f.row_id
  UNION
  SELECT e.lo FROM frontier AS f JOIN synthesis.identity_edge AS e ON e.hi = f.row_id
  UNION
  SELECT r.row_id
  FROM frontier AS f
  JOIN synthesis.candidate_source AS c USING (source, source_key)
  JOIN synthesis.candidate_source AS o ON o.candidate_id = c.candidate_id
  JOIN synthesis.identity_row AS r ON r.source = o.source AND r.source_key = o.source_key
  UNION
  SELECT r.row_id
  FROM frontier AS f
  JOIN decided AS d USING (source, source_key)
  JOIN decided AS o USING (class)
  JOIN synthesis.identity_row AS r ON r.source = o.source AND r.source_key = o.source_key
) AS n
ON CONFLICT (row_id) DO NOTHING

-- name: find_changed
-- Purpose: of the records read, those that are new or whose identity facts differ from the ones stored.
-- Grain: one identity row.
INSERT INTO changed (row_id)
SELECT row_id FROM unread JOIN synthesis.identity_row USING (row_id) WHERE is_new
UNION ALL
SELECT row_id
FROM incoming AS i
JOIN synthesis.identity_row AS r USING (row_id)
WHERE r.features <> i.features OR r.resolver_version <> i.resolver_version

-- name: find_crowded
-- Purpose: keys that have enough holders to be generic: those of changed rows, or of all. Grain: one key.
INSERT INTO touched_key (kind, value, holders)
SELECT k.kind, k.value, count(*)
FROM {keys}
GROUP BY k.kind, k.value
HAVING count(*) > %(max_names)s AND count(*) > coalesce((%(max_block_rows)s::jsonb ->> k.kind)::bigint, 0)
ON CONFLICT (value, kind) DO UPDATE SET holders = excluded.holders

-- name: find_generic_lost
-- Purpose: quarantined keys that a row held which is read again or vanished. A key that only loses holders cannot become
-- generic, so no other needs a look on their account. Runs before their keys are dropped. Grain: one key.
INSERT INTO touched_key (kind, value)
SELECT DISTINCT k.kind, k.value
FROM synthesis.identity_key AS k
JOIN synthesis.generic_key AS g USING (kind, value)
WHERE k.row_id IN (SELECT row_id FROM unread WHERE NOT is_new UNION ALL SELECT row_id FROM vanished)

-- name: find_pairs
-- Purpose: pairs of rows that share a key which is not generic, at least one of them changed, see pair_points: namesakes
-- at a large employer are left out here, before their facts are read. Grain: one pair, lo < hi.
CREATE TEMP TABLE pair ON COMMIT DROP AS
SELECT least(m.row_id, o.row_id) AS lo, greatest(m.row_id, o.row_id) AS hi
FROM {pairs}
  AND {may_be_one_job}
  AND {pair_points} > 0
GROUP BY lo, hi
HAVING sum({pair_points}) >= 2

-- name: find_unread
-- Purpose: the records that resolution has not seen in this version. New ones get their row_id here, in the order of
-- their keys, so that it does not depend on how they lie in the table; the name of the sequence is looked up once.
-- Grain: one source row.
INSERT INTO unread (row_id, source, source_key, record_hash, is_new)
SELECT coalesce(known.row_id, nextval((SELECT pg_get_serial_sequence('synthesis.identity_row', 'row_id'))::regclass)),
       known.source, known.source_key, known.record_hash, known.row_id IS NULL
FROM (
  SELECT s.source, s.source_key, s.record_hash, r.row_id
  FROM synthesis.source_record AS s
  LEFT JOIN synthesis.identity_row AS r USING (source, source_key)
  WHERE r.row_id IS NULL OR r.record_hash <> s.record_hash OR r.resolver_version <> %(version)s
  ORDER BY s.source, s.source_key
) AS known

-- name: find_vanished
-- Purpose: rows that resolution knows and the sources no longer have. Grain: one identity row.
INSERT INTO vanished (row_id)
SELECT r.row_id
FROM synthesis.identity_row AS r
WHERE NOT EXISTS (
  SELECT FROM synthesis.source_record AS s
  WHERE s.source = r.source AND s.source_key = r.source_key
)

-- name: hash_in_order
-- Purpose: for find_pairs among all rows. The planner takes crowded keys for rare ones: it would merge, and join before it
-- filters.
SET LOCAL enable_mergejoin = off;
SET LOCAL enable_nestloop = off;
SET LOCAL join_collapse_limit = 1

-- name: insert_candidates
-- Purpose: the new candidates. Grain: one candidate.
INSERT INTO synthesis.candidate (candidate_id, created_run)
OVERRIDING SYSTEM VALUE
SELECT candidate_id, %(run_id)s FROM new_candidate

-- name: insert_generic_keys
-- Purpose: keys that are generic now. Grain: one key.
INSERT INTO synthesis.generic_key (kind, value, reason)
SELECT kind, value, reason FROM generic_now
ON CONFLICT (kind, value) DO UPDATE SET reason = excluded.reason
WHERE generic_key.reason <> excluded.reason

-- name: mark_flipped_holders
-- Purpose: rows that hold a key which became generic or stopped being so are compared again.
-- Grain: one identity row.
INSERT INTO changed (row_id)
SELECT DISTINCT k.row_id
FROM touched_key AS t
LEFT JOIN generic_now AS n USING (kind, value)
LEFT JOIN synthesis.generic_key AS g USING (kind, value)
JOIN synthesis.identity_key AS k USING (kind, value)
WHERE (n.kind IS NULL) <> (g.kind IS NULL)
ON CONFLICT (row_id) DO NOTHING

-- name: mark_term_holders
-- Purpose: rows that hold a term whose frequency took a step are compared again, all of them when their number did.
-- Grain: one identity row.
WITH stepped AS (
  SELECT term
  FROM term_now AS n
  FULL JOIN synthesis.term_frequency AS f USING (term)
  WHERE n.frequency IS DISTINCT FROM f.frequency
)
INSERT INTO changed (row_id)
SELECT row_id
FROM synthesis.identity_row
WHERE EXISTS (SELECT FROM stepped WHERE term = '') OR terms && ARRAY(SELECT term FROM stepped)
ON CONFLICT (row_id) DO NOTHING

-- name: may_be_one_job
-- Purpose: whether nothing says that the jobs of rows m and o at the employer of a key that they share began more than
-- near_months apart; true of any other key. Part of find_pairs and explain. Grain: one key of two rows.
(m.first_start <= o.last_start + %(near_months)s AND o.first_start <= m.last_start + %(near_months)s) IS NOT FALSE

-- name: pair_points
-- Purpose: what a key that rows m and o share, one of may_be_one_job, says for comparing them: two points make a pair. Any
-- key has two but one of name and employer: that has two where the words of one's titles there are among the other's, or
-- one has none and both have dates, or where they share a word and began within same_months; else one where both names are
-- the same, and one where the jobs began so. Part of find_pairs and explain. Grain: one key of two rows.
(m.kind = 'name_employer')::integer + CASE
  WHEN m.title_words IS NULL THEN 2
  WHEN 0 IN (m.title_words, o.title_words)
    THEN CASE WHEN m.first_start IS NULL OR o.first_start IS NULL THEN 0 ELSE 2 END
  WHEN m.title_words & o.title_words IN (m.title_words, o.title_words) THEN 2
  WHEN abs(m.first_start - o.first_start) <= %(same_months)s AND abs(m.last_start - o.last_start) <= %(same_months)s
    THEN CASE WHEN m.title_words & o.title_words = 0 THEN 1 ELSE 2 END
  ELSE 0
END

-- name: plan_freely
-- Purpose: take back hash_in_order.
SET LOCAL enable_mergejoin TO DEFAULT;
SET LOCAL enable_nestloop TO DEFAULT;
SET LOCAL join_collapse_limit TO DEFAULT

-- name: record_merges
-- Purpose: point ids that lost all their rows to an older id at that id, and record which rows
-- came with them. Runs before candidate_source changes. Grain: one merged id.
WITH merged AS (
  UPDATE synthesis.candidate AS c
  SET merged_into = m.winner, merged_at = now(), retired_at = NULL
  FROM merge AS m
  WHERE c.candidate_id = m.loser
  RETURNING m.winner, m.loser
)
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id, other_id, detail)
SELECT %(run_id)s, 'merged', m.winner, m.loser,
       jsonb_build_object('rows', coalesce(
         jsonb_agg(jsonb_build_array(s.source, s.source_key) ORDER BY s.source, s.source_key)
           FILTER (WHERE s.source IS NOT NULL),
         '[]'
       ))
FROM merged AS m
LEFT JOIN synthesis.candidate_source AS s ON s.candidate_id = m.loser
GROUP BY m.winner, m.loser
ORDER BY m.loser

-- name: record_moves
-- Purpose: rows that left a candidate for a new one or a merged-away one that is back (split), or for
-- an existing one (moved). Runs before candidate_source changes. Grain: one pair of candidates.
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id, other_id, detail)
SELECT %(run_id)s,
       CASE WHEN bool_or(n.candidate_id IS NULL AND u.candidate_id IS NULL) THEN 'moved' ELSE 'split' END,
       m.previous, m.candidate_id,
       jsonb_build_object(
         'rows', jsonb_agg(jsonb_build_array(s.source, s.source_key) ORDER BY s.source, s.source_key),
         'revived', bool_or(u.candidate_id IS NOT NULL)
       )
FROM move AS m
JOIN synthesis.candidate_source AS s ON s.candidate_id = m.previous
JOIN assigned AS a
  ON a.source = s.source AND a.source_key = s.source_key AND a.candidate_id = m.candidate_id
LEFT JOIN new_candidate AS n ON n.candidate_id = m.candidate_id
LEFT JOIN unmerged AS u ON u.candidate_id = m.candidate_id
GROUP BY m.previous, m.candidate_id
ORDER BY m.previous, m.candidate_id

-- name: release_vanished
-- Purpose: take vanished rows from their candidates and remember whose they were.
-- Inputs: candidate_source, source_record. Grain: one source row. Fills touched_candidate.
WITH gone AS (
  DELETE FROM synthesis.candidate_source AS c
  WHERE NOT EXISTS (
    SELECT FROM synthesis.source_record AS s
    WHERE s.source = c.source AND s.source_key = c.source_key
  )
  RETURNING c.source, c.source_key, c.candidate_id, c.own_id
), remembered AS (
  INSERT INTO synthesis.former_source (source, source_key, candidate_id, removed_run)
  SELECT source, source_key, coalesce(own_id, candidate_id), %(run_id)s FROM gone
  ON CONFLICT (source, source_key) DO UPDATE
  SET candidate_id = excluded.candidate_id, removed_run = excluded.removed_run, removed_at = now()
)
INSERT INTO touched_candidate (candidate_id)
SELECT DISTINCT candidate_id FROM gone

-- name: reserve_candidate_ids
-- Purpose: ids for new candidates. Grain: one id.
SELECT nextval((SELECT pg_get_serial_sequence('synthesis.candidate', 'candidate_id'))::regclass)
FROM generate_series(1, %(n)s)

-- name: restore_returned
-- Purpose: hand rows that came back to the candidate that had them; clustering decides afterwards.
-- Inputs: former_source, source_record, candidate_redirect. Grain: one source row.
WITH back AS (
  DELETE FROM synthesis.former_source AS f
  USING synthesis.source_record AS s
  WHERE s.source = f.source AND s.source_key = f.source_key
  RETURNING f.source, f.source_key, f.candidate_id
)
INSERT INTO synthesis.candidate_source (
  source, source_key, candidate_id, own_id, rule, assigned_run
)
SELECT b.source, b.source_key, coalesce(d.current_id, b.candidate_id),
       CASE WHEN d.current_id IS NOT NULL THEN b.candidate_id END, 'returned', %(run_id)s
FROM back AS b
LEFT JOIN synthesis.candidate_redirect AS d USING (candidate_id)
ON CONFLICT (source, source_key) DO NOTHING

-- name: retire_candidates
-- Purpose: candidates that lost their last source row. Grain: one candidate.
WITH retired AS (
  UPDATE synthesis.candidate AS c
  SET retired_at = now()
  FROM touched_candidate AS t
  WHERE c.candidate_id = t.candidate_id
    AND c.merged_into IS NULL AND c.retired_at IS NULL
    AND NOT EXISTS (
      SELECT FROM synthesis.candidate_source AS s WHERE s.candidate_id = c.candidate_id
    )
  RETURNING c.candidate_id
)
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id)
SELECT %(run_id)s, 'retired', candidate_id FROM retired

-- name: revive_candidates
-- Purpose: retired candidates that have source rows again. Grain: one candidate.
WITH revived AS (
  UPDATE synthesis.candidate AS c
  SET retired_at = NULL
  WHERE c.retired_at IS NOT NULL
    AND EXISTS (SELECT FROM synthesis.candidate_source AS s WHERE s.candidate_id = c.candidate_id)
  RETURNING c.candidate_id
)
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id)
SELECT %(run_id)s, 'returned', candidate_id FROM revived

-- name: seed_affected
-- Purpose: rows of candidates that lost a row, and those that a new or revoked decision names, are decided again.
-- Grain: one identity row.
INSERT INTO affected (row_id, step)
SELECT r.row_id, 0
FROM (
  SELECT s.source, s.source_key FROM touched_candidate JOIN synthesis.candidate_source AS s USING (candidate_id)
  UNION
  SELECT c.left_source, c.left_key
  FROM decided_anew JOIN synthesis.identity_constraint AS c USING (decision_id)
  UNION
  SELECT c.right_source, c.right_key
  FROM decided_anew JOIN synthesis.identity_constraint AS c USING (decision_id)
) AS named
JOIN synthesis.identity_row AS r USING (source, source_key)
ON CONFLICT (row_id) DO NOTHING

-- name: select_affected
-- Purpose: affected rows with the candidate each had, null for a new row, the id of its own that a row had before a
-- merge, and the class of rows that a human decision holds together, oldest first. Grain: one identity row.
SELECT a.row_id, c.candidate_id, c.own_id, d.class
FROM affected AS a
JOIN synthesis.identity_row AS r USING (row_id)
LEFT JOIN synthesis.candidate_source AS c USING (source, source_key)
LEFT JOIN decided AS d USING (source, source_key)
ORDER BY a.row_id

-- name: select_affected_edges
-- Purpose: accepted pairs between affected rows. Grain: one pair.
SELECT e.lo, e.hi FROM affected AS a JOIN synthesis.identity_edge AS e ON e.lo = a.row_id

-- name: select_crowded_keys
-- Purpose: touched keys that may be generic: many rows, or three or more spellings of names.
-- Names are cut at 200 in sorted order: enough to find three people. Grain: one key.
SELECT k.kind, k.value, count(*) AS holders, (array_agg(DISTINCT r.name))[1:200] AS names
FROM touched_key AS t
JOIN synthesis.identity_key AS k USING (kind, value)
JOIN synthesis.identity_row AS r USING (row_id)
WHERE k.kind <> ALL (%(weak_kinds)s)
GROUP BY k.kind, k.value
HAVING count(*) > 2 AND (count(DISTINCT r.name) > %(max_names)s OR count(*) > %(max_rows)s)
UNION ALL
SELECT t.kind, t.value, coalesce(t.holders, (
         SELECT count(*) FROM synthesis.identity_key AS k WHERE k.kind = t.kind AND k.value = t.value
       )), ARRAY[]::text[]
FROM touched_key AS t
WHERE t.kind = ANY (%(weak_kinds)s)

-- name: select_features
-- Purpose: the identity facts of the given rows. Grain: one identity row.
SELECT row_id, features FROM synthesis.identity_row WHERE row_id = ANY (%(row_ids)s::bigint[])

-- name: select_pairs
-- Purpose: the pairs to compare, those of one row together. Grain: one pair.
SELECT lo, hi FROM pair ORDER BY lo, hi

-- name: select_ranges
-- Purpose: key ranges of live candidates that take about equally long to render: a person costs as much as four source
-- rows, and each of their rows one more. Older candidates have more rows. Inputs: shards.
-- Grain: one range; the caller stretches them until they cover every id.
WITH person AS (
  SELECT c.candidate_id, 4 + count(s.candidate_id) AS work
  FROM synthesis.candidate AS c
  LEFT JOIN synthesis.candidate_source AS s ON s.candidate_id = c.candidate_id
  WHERE c.merged_into IS NULL AND c.retired_at IS NULL
  GROUP BY c.candidate_id
)
SELECT max(candidate_id)
FROM (
  SELECT candidate_id,
         ceil(sum(work) OVER (ORDER BY candidate_id) * %(shards)s / sum(work) OVER ()) AS shard
  FROM person
) AS numbered
GROUP BY shard
ORDER BY shard

-- name: select_unread
-- Purpose: the records to read. It does not look into incoming, which grows while it is read. Grain: one source row.
SELECT u.row_id, u.is_new, s.source, s.source_key, s.record_hash, s.record
FROM unread AS u
JOIN synthesis.source_record AS s USING (source, source_key)

-- name: select_work_edges
-- Purpose: the accepted pairs whose smaller row is among the given ones. Grain: one pair.
SELECT lo, hi, score, signals::text FROM synthesis.identity_edge WHERE lo = ANY (%(row_ids)s::bigint[])

-- name: select_work_rows
-- Purpose: the names of the given rows. Grain: one identity row.
SELECT row_id, source, source_key FROM synthesis.identity_row WHERE row_id = ANY (%(row_ids)s::bigint[])

-- name: store_terms
-- Purpose: keep the frequencies that tonight's pairs are weighed by. Grain: one term.
TRUNCATE synthesis.term_frequency;
INSERT INTO synthesis.term_frequency (term, frequency) SELECT term, frequency FROM term_now

-- name: unmerge_candidates
-- Purpose: merged-away ids that answer for themselves again. Grain: one candidate.
UPDATE synthesis.candidate AS c
SET merged_into = NULL, merged_at = NULL
FROM unmerged AS u
WHERE c.candidate_id = u.candidate_id

-- name: update_rows
-- Purpose: store what was read of known rows. Grain: one identity row.
UPDATE synthesis.identity_row AS r
SET record_hash = i.record_hash, resolver_version = i.resolver_version, name = i.name, features = i.features,
    terms = i.terms
FROM incoming AS i
WHERE i.row_id = r.row_id

-- name: upsert_candidate_source
-- Purpose: who each affected row belongs to; rows whose answer did not change stay untouched.
-- Grain: one source row.
INSERT INTO synthesis.candidate_source AS c (
  source, source_key, candidate_id, own_id, rule, evidence, assigned_run
)
SELECT source, source_key, candidate_id, own_id, rule, evidence, %(run_id)s
FROM assigned
ON CONFLICT (source, source_key) DO UPDATE
SET candidate_id = excluded.candidate_id, own_id = excluded.own_id, rule = excluded.rule,
    evidence = excluded.evidence, assigned_run = excluded.assigned_run, assigned_at = now()
WHERE (c.candidate_id, c.own_id, c.rule, c.evidence)
  IS DISTINCT FROM (excluded.candidate_id, excluded.own_id, excluded.rule, excluded.evidence)
