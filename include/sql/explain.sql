-- name: select_absorbed
-- Purpose: the ids that answer under a candidate now. Grain: one merged id.
WITH RECURSIVE absorbed AS (
  SELECT candidate_id FROM synthesis.candidate WHERE merged_into = %(candidate_id)s
  UNION ALL
  SELECT c.candidate_id FROM absorbed AS a JOIN synthesis.candidate AS c ON c.merged_into = a.candidate_id
)
SELECT candidate_id FROM absorbed ORDER BY candidate_id

-- name: select_answer
-- Purpose: the newest answer about a person, with what of it is not published and why. Inputs: candidate_id.
-- Grain: at most one attempt.
SELECT c.outcome, c.reason, c.method, c.supported, c.claims, c.removed, c.created_at,
       c.content_hash = d.content_hash AS is_current
FROM synthesis.completion AS c
LEFT JOIN synthesis.document AS d USING (candidate_id)
WHERE c.candidate_id = %(candidate_id)s
ORDER BY c.is_terminal DESC, c.created_at DESC, c.attempt_id DESC
LIMIT 1

-- name: select_choices
-- Purpose: the fields of a document with the source that won; what an older renderer wrote without values waits for a
-- render. Inputs: candidate_id. Grain: one person.
SELECT jsonb_path_query_array(choices, '$[*] ? (exists (@.value))')
FROM synthesis.document
WHERE candidate_id = %(candidate_id)s

-- name: select_events
-- Purpose: what happened to ids: merges, splits, moves. Grain: one event, oldest first.
SELECT run_id, kind, candidate_id, other_id, detail, happened_at
FROM synthesis.identity_event
WHERE candidate_id = ANY (%(ids)s) OR other_id = ANY (%(ids)s)
ORDER BY event_id

-- name: select_near
-- Purpose: rows of other candidates that share a key which links, with the accepted pair if there is one, and whether
-- the join of resolve makes a pair of them at all. Accepted pairs first, then those that were compared, so that a limit
-- leaves out what says least. Grain: one pair of rows; pairs is how many there are without the limit.
SELECT n.mine, r.source, r.source_key, s.candidate_id, r.features, n.is_made, e.score, e.signals::text,
       count(*) OVER () AS pairs
FROM (
  SELECT mine, other, bool_or(is_one_job AND is_made) AS is_made
  FROM (
    SELECT m.row_id AS mine, o.row_id AS other, {may_be_one_job} AS is_one_job, sum({pair_points}) >= 2 AS is_made
    FROM synthesis.identity_key AS m
    JOIN synthesis.identity_key AS o
      ON o.kind = m.kind AND o.value = m.value AND o.row_id <> ALL (%(row_ids)s)
    WHERE m.row_id = ANY (%(row_ids)s)
      AND NOT EXISTS (
        SELECT FROM synthesis.generic_key AS g WHERE g.kind = m.kind AND g.value = m.value
      )
    GROUP BY mine, other, is_one_job
  ) AS k
  GROUP BY mine, other
) AS n
JOIN synthesis.identity_row AS r ON r.row_id = n.other
JOIN synthesis.candidate_source AS s ON s.source = r.source AND s.source_key = r.source_key
LEFT JOIN synthesis.identity_edge AS e
  ON e.lo = least(n.mine, n.other) AND e.hi = greatest(n.mine, n.other)
ORDER BY (e.score IS NOT NULL) DESC, n.is_made DESC, e.score DESC, n.mine, r.source, r.source_key
LIMIT %(limit)s

-- name: select_owners
-- Purpose: the candidates with a row that holds one of the given keys. Grain: one candidate.
SELECT DISTINCT s.candidate_id
FROM synthesis.identity_key AS k
JOIN synthesis.identity_row AS r USING (row_id)
JOIN synthesis.candidate_source AS s USING (source, source_key)
WHERE (k.kind, k.value) IN (SELECT * FROM unnest(%(kinds)s::text[], %(values)s::text[]))
ORDER BY s.candidate_id

-- name: select_pairs
-- Purpose: the accepted pairs between rows, strongest first. Grain: one pair.
SELECT e.lo, e.hi, e.score, e.signals::text
FROM synthesis.identity_edge AS e
WHERE e.lo = ANY (%(row_ids)s) AND e.hi = ANY (%(row_ids)s)
ORDER BY e.score DESC, e.lo, e.hi

-- name: select_rows
-- Purpose: the source rows of a candidate with what resolution knows of them, and why a key links nobody now. own_id is
-- the id a row had before a merge. Grain: one source row.
SELECT s.source, s.source_key, r.observed_at, r.extracted_at, s.assigned_at, s.rule, s.own_id,
       i.row_id, i.features,
       ARRAY(
         SELECT jsonb_build_object('kind', k.kind, 'value', k.value, 'quarantined', g.reason)
         FROM synthesis.identity_key AS k
         LEFT JOIN synthesis.generic_key AS g USING (kind, value)
         WHERE k.row_id = i.row_id
         ORDER BY k.kind, k.value
       ) AS keys
FROM synthesis.candidate_source AS s
LEFT JOIN synthesis.source_record AS r USING (source, source_key)
LEFT JOIN synthesis.identity_row AS i USING (source, source_key)
WHERE s.candidate_id = %(candidate_id)s
ORDER BY s.source, s.source_key
