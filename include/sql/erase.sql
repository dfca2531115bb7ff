-- name: compare_again
-- Purpose: have resolution look again at the rows that shared a quarantined key with the person: with fewer holders it
-- may link again. Grain: one identity row.
UPDATE synthesis.identity_row AS r
SET resolver_version = ''
FROM synthesis.identity_key AS k
JOIN synthesis.generic_key AS g USING (kind, value)
JOIN erased_key AS e USING (kind, value)
WHERE k.row_id = r.row_id AND NOT EXISTS (SELECT FROM erased_row AS mine WHERE mine.row_id = r.row_id)

-- name: create_work_tables
-- Purpose: whom an erasure is about. Inputs: candidate_id, one that was not merged away.
-- Grain: erased_candidate: one row per id that answers as this person; erased_row: one per source row of it, former
-- ones too; erased_key: one per strong key that only these rows hold and that is not quarantined.
CREATE TEMP TABLE erased_candidate (candidate_id bigint PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE erased_row (
  source text, source_key text, row_id bigint, PRIMARY KEY (source, source_key)) ON COMMIT DROP;
CREATE TEMP TABLE erased_key (kind text, value text, is_unique boolean, PRIMARY KEY (kind, value)) ON COMMIT DROP

-- name: delete_decisions
-- Purpose: forget the decisions that are about nobody else. Grain: one decision.
WITH mine AS (
  SELECT decision_id FROM synthesis.identity_decision
  WHERE candidate_id IN (SELECT candidate_id FROM erased_candidate)
     OR other_id IN (SELECT candidate_id FROM erased_candidate)
), unbound AS (
  DELETE FROM synthesis.identity_constraint WHERE decision_id IN (SELECT decision_id FROM mine)
)
DELETE FROM synthesis.identity_decision WHERE decision_id IN (SELECT decision_id FROM mine)

-- name: fill_candidates
-- Purpose: the ids that answer as one person, locked: a lane that stores an answer waits, then finds nobody.
-- Inputs: candidate_id, a current id. Grain: one id.
WITH named AS MATERIALIZED (
  SELECT candidate_id FROM synthesis.candidate
  WHERE candidate_id = %(candidate_id)s
     OR candidate_id IN (
       SELECT candidate_id FROM synthesis.candidate_redirect WHERE current_id = %(candidate_id)s)
  ORDER BY candidate_id
  FOR UPDATE
)
INSERT INTO erased_candidate SELECT candidate_id FROM named

-- name: fill_keys
-- Purpose: the strong keys of the person's rows, and which of them nobody else holds. Inputs: weak_kinds.
-- Grain: one key.
INSERT INTO erased_key (kind, value, is_unique)
SELECT
  k.kind, k.value,
  NOT EXISTS (SELECT FROM synthesis.generic_key AS g WHERE g.kind = k.kind AND g.value = k.value)
  AND NOT EXISTS (
    SELECT FROM synthesis.identity_key AS other
    WHERE other.kind = k.kind AND other.value = k.value
      AND NOT EXISTS (SELECT FROM erased_row AS mine WHERE mine.row_id = other.row_id))
FROM (SELECT DISTINCT kind, value FROM synthesis.identity_key JOIN erased_row USING (row_id)) AS k
WHERE k.kind <> ALL (%(weak_kinds)s)

-- name: fill_rows
-- Purpose: the source rows of the person, those that left their table too. Grain: one source row.
INSERT INTO erased_row (source, source_key, row_id)
SELECT source, source_key, r.row_id
FROM (
  SELECT source, source_key FROM synthesis.candidate_source JOIN erased_candidate USING (candidate_id)
  UNION
  SELECT source, source_key FROM synthesis.former_source JOIN erased_candidate USING (candidate_id)
  -- A row that came back is its present owner's.
  WHERE NOT EXISTS (
    SELECT FROM synthesis.candidate_source AS c
    WHERE c.source = former_source.source AND c.source_key = former_source.source_key)
) AS mine
LEFT JOIN synthesis.identity_row AS r USING (source, source_key)

-- name: forget_rows
-- Purpose: drop what earlier extracts stored of rows that are an erased person's. Inputs: source, source_keys.
-- Grain: one source row.
WITH rejected AS (
  DELETE FROM synthesis.rejected_row WHERE source = %(source)s AND source_key = ANY(%(source_keys)s)
), addressed AS (
  DELETE FROM synthesis.reader_text WHERE source = %(source)s AND source_key = ANY(%(source_keys)s)
)
DELETE FROM synthesis.source_record WHERE source = %(source)s AND source_key = ANY(%(source_keys)s)

-- name: insert_log
-- Purpose: the audit line of an erasure. Grain: one erasure.
INSERT INTO synthesis.erasure_log (candidate_ids, erased_by, rows_removed, tombstones)
SELECT (SELECT array_agg(candidate_id ORDER BY candidate_id) FROM erased_candidate),
       current_user || ' (' || %(asked_by)s || ')', %(rows_removed)s, %(tombstones)s
RETURNING erasure_id

-- name: move_decisions
-- Purpose: a decision that still holds rows of others together or apart is theirs now; its note may tell of the
-- person. Grain: one decision.
UPDATE synthesis.identity_decision AS d
SET candidate_id = kept.candidate_id, other_id = NULL, note = ''
FROM (
  SELECT c.decision_id, min(s.candidate_id) AS candidate_id
  FROM synthesis.identity_constraint AS c
  JOIN synthesis.candidate_source AS s ON s.source = c.left_source AND s.source_key = c.left_key
  GROUP BY c.decision_id
) AS kept
WHERE kept.decision_id = d.decision_id
  AND (d.candidate_id IN (SELECT candidate_id FROM erased_candidate)
       OR d.other_id IN (SELECT candidate_id FROM erased_candidate))

-- name: recount_runs
-- Purpose: the sums of runs without the person, so that the buckets of one that goes on still add up.
-- Grain: one run that planned the person.
UPDATE synthesis.run AS r
SET candidates = r.candidates - i.n, planned = r.planned - i.n
FROM (
  SELECT run_id, count(*) AS n FROM synthesis.run_item JOIN erased_candidate USING (candidate_id) GROUP BY run_id
) AS i
WHERE i.run_id = r.run_id

-- name: select_row
-- Purpose: whose a row is, and its record, each null where there is none. Inputs: source, source_key. Grain: one row.
SELECT
  (SELECT candidate_id FROM synthesis.candidate_source WHERE source = %(source)s AND source_key = %(source_key)s),
  (SELECT record::text FROM synthesis.source_record WHERE source = %(source)s AND source_key = %(source_key)s)

-- name: select_stored
-- Purpose: every row that the pipeline keeps something of, with its record where it was readable. Grain: one source row.
SELECT source, source_key, r.record::text
FROM (
  SELECT source, source_key FROM synthesis.source_record
  UNION SELECT source, source_key FROM synthesis.rejected_row
  UNION SELECT source, source_key FROM synthesis.candidate_source
) AS known
LEFT JOIN synthesis.source_record AS r USING (source, source_key)

-- name: select_unread
-- Purpose: the records that resolution has not read yet, so that nobody knows whose they are.
-- Grain: one source row.
SELECT s.source, s.source_key, s.record::text
FROM synthesis.source_record AS s
LEFT JOIN synthesis.identity_row AS r USING (source, source_key)
WHERE r.record_hash IS DISTINCT FROM s.record_hash
