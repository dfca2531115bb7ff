-- name: count_open_items
-- Purpose: what the lanes of a run have to do. Grain: one row.
SELECT count(*) FILTER (WHERE NOT deferred) AS open, count(*) FILTER (WHERE deferred) AS deferred,
       coalesce(sum(token_estimate) FILTER (WHERE NOT deferred), 0)::bigint AS document_tokens
FROM synthesis.run_item WHERE run_id = %(run_id)s AND outcome IS NULL

-- name: count_reasons
-- Purpose: why documents are stale. Grain: one row per reason.
SELECT reason, count(*) AS documents FROM synthesis.run_item WHERE run_id = %(run_id)s GROUP BY reason ORDER BY reason

-- name: create_planned_document
-- Purpose: room for the fingerprints of this plan. Grain: one row per document that may need the model.
CREATE TEMPORARY TABLE planned_document (candidate_id bigint NOT NULL, fingerprint text NOT NULL) ON COMMIT DROP

-- name: delete_open_items
-- Purpose: drop the items of an earlier plan of this run, except those that are done under the fingerprint that
--   this plan gives them too. Inputs: temporary table planned_document. Grain: one row per item dropped.
DELETE FROM synthesis.run_item AS i
WHERE i.run_id = %(run_id)s
  AND (i.outcome IS NULL OR NOT EXISTS (
    SELECT 1 FROM planned_document AS p WHERE p.candidate_id = i.candidate_id AND p.fingerprint = i.fingerprint))

-- name: delete_surplus_lanes
-- Purpose: forget lanes that an earlier plan of this run had and this one has not. Grain: one row per lane.
DELETE FROM synthesis.lane WHERE run_id = %(run_id)s AND lane >= %(lanes)s

-- name: fill_planned_document
-- Purpose: the fingerprint of every document that may need the model. Inputs: candidate_ids, null for all; answer, the
--   release's part of a fingerprint. Grain: one row, how many documents were looked at and how many are too thin.
WITH looked_at AS (
  SELECT d.candidate_id, d.content_hash, d.too_thin
  FROM synthesis.document AS d
  JOIN synthesis.candidate AS p
    ON p.candidate_id = d.candidate_id AND p.merged_into IS NULL AND p.retired_at IS NULL
  WHERE %(candidate_ids)s::bigint[] IS NULL OR d.candidate_id = ANY(%(candidate_ids)s::bigint[])
),
planned AS (
  INSERT INTO planned_document (candidate_id, fingerprint)
  SELECT candidate_id,
         left(encode(sha256(convert_to(content_hash || E'\n' || %(answer)s::text, 'UTF8')), 'hex'), 32)
  FROM looked_at
  WHERE NOT too_thin
)
SELECT count(*) AS candidates, count(*) FILTER (WHERE too_thin) AS too_thin FROM looked_at

-- name: finish_plan
-- Purpose: the totals of a plan and the end of its window. Rejected before: not planned, and the present fingerprint has
--   no outcome but a rejection in the runs that count for this one. Grain: one run.
UPDATE synthesis.run AS r
SET candidates = %(candidates)s, too_thin = %(too_thin)s, planned = items.n,
    fresh = %(candidates)s - %(too_thin)s - items.n - rejected.n, rejected_before = rejected.n, release_id = %(release_id)s, notice = %(notice)s, settings = %(settings)s,
    planned_at = now(), stop_at = now() + make_interval(secs => %(window_seconds)s)
FROM (SELECT count(*) AS n FROM synthesis.run_item WHERE run_id = %(run_id)s) AS items,
  (SELECT count(DISTINCT p.candidate_id) AS n
   FROM planned_document AS p
   JOIN synthesis.completion AS c
     ON c.candidate_id = p.candidate_id AND c.fingerprint = p.fingerprint AND c.is_terminal AND c.outcome = 'rejected'
   JOIN synthesis.run AS theirs ON theirs.run_id = c.run_id
   JOIN synthesis.run AS ours ON ours.run_id = %(run_id)s AND (theirs.publishes OR NOT ours.publishes)
   WHERE NOT EXISTS (
     SELECT FROM synthesis.completion AS a
     WHERE a.candidate_id = p.candidate_id AND a.fingerprint = p.fingerprint AND a.is_accepted)
     AND NOT EXISTS (
       SELECT FROM synthesis.run_item AS i WHERE i.run_id = %(run_id)s AND i.candidate_id = p.candidate_id)
  ) AS rejected
WHERE r.run_id = %(run_id)s
RETURNING r.fresh, r.rejected_before, r.planned

-- name: insert_run_items
-- Purpose: the items of a run: documents without a terminal outcome, or all when `force` is set, in the order in which
--   lanes take them: never synthesised first, then the stalest.
-- Inputs: temporary table planned_document; limit, null for none, counts items that are done already; held, the
--   reasons that wait for an approval; the digests of the run's release. A run that publishes counts only completions
--   of runs that do, so that a trial run never makes the night's work look done.
-- Grain: one row per planned document; those held or beyond the limit are deferred.
-- Reasons: when several things changed the document's bytes explain it first: a new prompt alone would not have kept
--   the old summary right. Of the bytes the rows come before the renderer. Nobody is new whose newest terminal
--   completion is known; who is forced has a terminal outcome already; a person asked to retry a rejected one.
WITH counted AS (
  SELECT theirs.run_id
  FROM synthesis.run AS theirs
  JOIN synthesis.run AS ours ON ours.run_id = %(run_id)s
  WHERE theirs.publishes OR NOT ours.publishes
),
touched AS (
  SELECT candidate_id, max(happened_at) AS happened_at
  FROM (
    SELECT candidate_id, happened_at FROM synthesis.identity_event WHERE kind IN ('merged', 'split', 'moved')
    UNION ALL
    SELECT other_id, happened_at FROM synthesis.identity_event
    WHERE kind IN ('merged', 'split', 'moved') AND other_id IS NOT NULL
  ) AS e
  GROUP BY candidate_id
),
stale AS (
  SELECT p.candidate_id, p.fingerprint, false AS forced
  FROM planned_document AS p
  WHERE NOT EXISTS (
    SELECT 1 FROM synthesis.completion AS c JOIN counted ON counted.run_id = c.run_id
    WHERE c.candidate_id = p.candidate_id AND c.fingerprint = p.fingerprint AND c.is_terminal)
  UNION ALL
  SELECT p.candidate_id, p.fingerprint, true
  FROM planned_document AS p
  WHERE %(force)s AND EXISTS (
    SELECT 1 FROM synthesis.completion AS c JOIN counted ON counted.run_id = c.run_id
    WHERE c.candidate_id = p.candidate_id AND c.fingerprint = p.fingerprint AND c.is_terminal)
),
reasoned AS (
  SELECT
    s.candidate_id, s.fingerprint, s.forced, d.content_hash, d.token_estimate, last.created_at AS last_done_at,
    CASE
      WHEN s.forced THEN 'forced'
      WHEN EXISTS (
        SELECT FROM synthesis.completion AS c
        WHERE c.candidate_id = s.candidate_id AND c.fingerprint = s.fingerprint AND c.retried_at IS NOT NULL)
        THEN 'retried'
      WHEN last.created_at IS NULL THEN 'new'
      WHEN last.content_hash <> d.content_hash THEN CASE
        WHEN touched.happened_at > last.created_at THEN 'identity_changed'
        WHEN last.renderer_version <> d.renderer_version
          AND NOT coalesce(d.source_changed_at > last.created_at, false) THEN 'renderer_changed'
        ELSE 'source_changed' END
      WHEN last.prompt_digest <> %(prompt_digest)s::text THEN 'prompt_changed'
      WHEN last.schema_digest <> %(schema_digest)s::text THEN 'schema_changed'
      WHEN last.sampling_digest <> %(sampling_digest)s::text THEN 'sampling_changed'
      ELSE 'model_changed'
    END AS reason
  FROM stale AS s
  JOIN synthesis.document AS d ON d.candidate_id = s.candidate_id
  LEFT JOIN LATERAL (
    SELECT c.content_hash, c.created_at, l.prompt_digest, l.schema_digest, l.sampling_digest, l.renderer_version
    FROM synthesis.completion AS c
    JOIN counted ON counted.run_id = c.run_id
    JOIN synthesis.release AS l ON l.release_id = c.release_id
    WHERE c.candidate_id = s.candidate_id AND c.is_terminal
    ORDER BY c.created_at DESC
    LIMIT 1
  ) AS last ON true
  LEFT JOIN touched ON touched.candidate_id = s.candidate_id
  WHERE NOT EXISTS (
    SELECT 1 FROM synthesis.run_item AS kept WHERE kept.run_id = %(run_id)s AND kept.candidate_id = s.candidate_id)
)
INSERT INTO synthesis.run_item (
  run_id, candidate_id, fingerprint, content_hash, reason, priority, forced, deferred, token_estimate)
SELECT
  %(run_id)s, s.candidate_id, s.fingerprint, s.content_hash, s.reason, s.n, s.forced,
  s.is_held OR coalesce(s.n + kept.n > %(limit)s::bigint, false), s.token_estimate
FROM (
  SELECT *, row_number() OVER (ORDER BY is_held, last_done_at ASC NULLS FIRST, candidate_id) AS n
  FROM (SELECT *, reason = ANY(%(held)s::text[]) AS is_held FROM reasoned) AS d
) AS s
CROSS JOIN (SELECT count(*) AS n FROM synthesis.run_item WHERE run_id = %(run_id)s) AS kept

-- name: reset_run
-- Purpose: make room for planning a run again. Live leases of the run end, so that a lane that still works on
--   the old plan is fenced. Grain: one row per lease ended.
UPDATE synthesis.batch SET state = 'released', ended_at = now() WHERE run_id = %(run_id)s AND state = 'leased'

-- name: select_measured_rate
-- Purpose: what a lane really gave and a document really cost, from the lanes of last month's runs of the same
--   model. Grain: one row; nulls and zeros without a measurement.
-- The rate is the median over lanes: one that waited for the end of a run, or for a slow disk, does not bend it.
-- Refused attempts are part of what their document cost.
WITH done AS (
  SELECT
    l.run_id, r.started_at, cardinality(l.cards) AS cards,
    (l.counters ->> 'completion_tokens')::double precision AS tokens,
    coalesce((l.counters ->> 'valid')::bigint, 0) + coalesce((l.counters ->> 'repaired')::bigint, 0)
      + coalesce((l.counters ->> 'extractive')::bigint, 0)
      + coalesce((l.counters ->> 'rejected')::bigint, 0) AS documents,
    extract(epoch FROM l.ended_at - l.started_at) - coalesce(l.load_seconds, 0)
      - coalesce(l.warm_up_seconds, 0) AS seconds
  FROM synthesis.lane AS l
  JOIN synthesis.run AS r ON r.run_id = l.run_id
  JOIN synthesis.release AS b ON b.release_id = r.release_id
  WHERE l.state = 'succeeded' AND b.model = %(model)s AND b.engine = %(engine)s
    AND l.ended_at > now() - interval '30 days'
    AND (l.counters ->> 'completion_tokens')::double precision > 0
),
power AS (
  SELECT avg((m.value ->> 'watts')::double precision) AS watts
  FROM synthesis.run_metric AS m
  WHERE m.kind = 'gpu' AND m.run_id IN (SELECT run_id FROM done)
)
SELECT
  (sum(tokens) / nullif(sum(documents), 0))::double precision AS output_tokens_each,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY tokens / nullif(seconds, 0)) AS tokens_per_second,
  count(DISTINCT run_id) AS runs,
  count(*) AS lanes,
  (array_agg(run_id ORDER BY started_at DESC))[1] AS newest_run,
  avg(cards)::double precision AS cards,
  (SELECT watts FROM power) AS watts
FROM done

-- name: start_run
-- Purpose: open the row of a run; a cleared run keeps its history, forgets its failures and runs again. Grain: one run.
WITH forgotten AS (
  DELETE FROM synthesis.run_stage WHERE run_id = %(run_id)s AND error IS NOT NULL
)
INSERT INTO synthesis.run (run_id, state, params, publishes)
VALUES (%(run_id)s, 'running', %(params)s, %(publishes)s)
ON CONFLICT (run_id) DO UPDATE
SET state = 'running', params = excluded.params, publishes = excluded.publishes, ended_at = NULL, error = NULL
