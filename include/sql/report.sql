-- name: count_buckets
-- Purpose: where every candidate of a run stands. Grain: one row: the run's totals and each planned bucket.
-- deferred: planned, but the limit or the window's end came first (run_item.deferred); missing: planned and open.
SELECT
  r.candidates, r.fresh, r.rejected_before, r.too_thin, r.planned,
  count(i.candidate_id) FILTER (WHERE i.outcome = 'valid') AS valid,
  count(i.candidate_id) FILTER (WHERE i.outcome = 'repaired') AS repaired,
  count(i.candidate_id) FILTER (WHERE i.outcome = 'extractive') AS extractive,
  count(i.candidate_id) FILTER (WHERE i.outcome = 'rejected') AS rejected,
  count(i.candidate_id) FILTER (WHERE i.outcome IS NULL AND i.deferred) AS deferred,
  count(i.candidate_id) FILTER (WHERE i.outcome IS NULL AND NOT i.deferred) AS missing
FROM synthesis.run AS r
LEFT JOIN synthesis.run_item AS i ON i.run_id = r.run_id
WHERE r.run_id = %(run_id)s
GROUP BY r.run_id

-- name: count_reasons
-- Purpose: why documents were planned, why answers were refused, what of the source rows could not be read, where they
-- address a reader; and of the last answer about each document what the gate said (counts), the share of the claims of an
-- accepted one that the document supports (scores), and why sentences were removed. Grain: one row per kind and reason.
SELECT 'stale' AS kind, reason, count(*) AS documents
FROM synthesis.run_item WHERE run_id = %(run_id)s GROUP BY reason
UNION ALL
SELECT 'refused', coalesce(c.reason, 'unknown'), count(*)
FROM synthesis.completion AS c
WHERE c.run_id = %(run_id)s AND (c.outcome IN ('rejected', 'extractive') OR NOT c.is_terminal)
GROUP BY c.reason
UNION ALL
SELECT 'unreadable_row', source || ': ' || reason, count(*)
FROM synthesis.rejected_row GROUP BY source, reason
UNION ALL
SELECT 'reader_text', source || ': ' || field, count(*)
FROM synthesis.reader_text GROUP BY source, field
UNION ALL
SELECT 'counts', CASE WHEN reason IS NULL THEN outcome ELSE outcome || ': ' || reason END AS figure, count(*)
FROM synthesis.completion WHERE run_id = %(run_id)s AND is_terminal GROUP BY figure
UNION ALL
SELECT
  'scores',
  CASE
    WHEN claims = 0 THEN 'no claim'
    WHEN supported = claims THEN 'all supported'
    WHEN supported >= 0.9 * claims THEN '90 %% or more'
    WHEN supported >= 0.8 * claims THEN '80 %% or more'
    ELSE 'below 80 %%'
  END AS score,
  count(*)
FROM synthesis.completion
WHERE run_id = %(run_id)s AND is_terminal AND method = 'model' AND outcome <> 'rejected' GROUP BY score
UNION ALL
SELECT 'removed', r ->> 'reason', count(*)
FROM synthesis.completion AS c
CROSS JOIN LATERAL jsonb_array_elements(c.removed) AS r
WHERE c.run_id = %(run_id)s AND c.is_terminal AND c.removed <> '[]' GROUP BY r ->> 'reason'
ORDER BY kind, documents DESC, reason

-- name: forget_failure
-- Purpose: forget what record_failure kept of a task that has succeeded since; a stage's own row stays.
-- Grain: at most one row.
DELETE FROM synthesis.run_stage
WHERE run_id = %(run_id)s AND stage = %(stage)s AND part = %(part)s AND error IS NOT NULL AND counts = '{}'

-- name: note_alert
-- Purpose: keep on a run that it failed or is late. Inputs: message; failed, false for a run that is late.
-- A failure that explains itself keeps its own words; else the stages that failed say it, without the optional ones,
-- which fail no run. Grain: one run.
UPDATE synthesis.run AS r
SET state = CASE WHEN %(failed)s THEN 'failed' ELSE r.state END,
    ended_at = CASE WHEN %(failed)s THEN coalesce(r.ended_at, now()) ELSE r.ended_at END,
    error = CASE
      WHEN %(failed)s THEN coalesce(r.error, said.error, %(message)s)
      WHEN r.error LIKE '%%' || %(message)s || '%%' THEN r.error
      ELSE concat_ws('; ', r.error, %(message)s)
    END
FROM (
  SELECT string_agg(s.stage || ': ' || s.error, '; ' ORDER BY s.ended_at) AS error
  FROM synthesis.run_stage AS s
  WHERE s.run_id = %(run_id)s AND s.error IS NOT NULL AND s.stage NOT IN ('embed', 'judge')
) AS said
WHERE r.run_id = %(run_id)s
RETURNING r.error

-- name: note_files
-- Purpose: keep with a run's report where its files are, or why there are none. Inputs: files, JSON. Grain: one run.
UPDATE synthesis.run SET report = coalesce(report, '{}') || jsonb_build_object('files', %(files)s::jsonb)
WHERE run_id = %(run_id)s

-- name: open_run_stage
-- Purpose: say of a task instance that it has not ended, until it does: one whose host is gone cannot say it itself.
-- Inputs: run_id, stage, part, error; again, whether one that ended before is open again. Grain: one row.
INSERT INTO synthesis.run_stage (run_id, stage, part, counts, seconds, error)
SELECT run_id, %(stage)s, %(part)s, '{}', 0, %(error)s FROM synthesis.run WHERE run_id = %(run_id)s
ON CONFLICT (run_id, stage, part) DO UPDATE
SET counts = excluded.counts, seconds = excluded.seconds, peak_mb = excluded.peak_mb, error = excluded.error,
  ended_at = now()
WHERE %(again)s

-- name: record_failure
-- Purpose: record the failure of a task outside its stage, and open the row of a run that has none yet. A run that
-- has a recorded failure keeps it alone, because what follows fails with it. Grain: at most one row.
WITH opened AS (
  INSERT INTO synthesis.run (run_id, state) VALUES (%(run_id)s, 'running') ON CONFLICT DO NOTHING
)
INSERT INTO synthesis.run_stage (run_id, stage, part, counts, seconds, peak_mb, error)
SELECT %(run_id)s, %(stage)s, %(part)s, '{}', 0, 0, %(error)s
WHERE NOT EXISTS (
  SELECT FROM synthesis.run_stage AS s
  WHERE s.run_id = %(run_id)s AND s.error IS NOT NULL AND s.peak_mb IS NOT NULL AND s.stage NOT IN ('embed', 'judge')
    AND (s.stage, s.part) <> (%(stage)s, %(part)s))
ON CONFLICT (run_id, stage, part) DO UPDATE SET error = excluded.error, ended_at = now()

-- name: select_failures
-- Purpose: why stages of a run failed, first failure first. What is optional and runs after publish fails alone, as a
-- red task, and no run with it. Grain: one row per failed stage and part.
SELECT concat_ws(' ', stage, nullif(part, '')) AS stage, error
FROM synthesis.run_stage WHERE run_id = %(run_id)s AND error IS NOT NULL AND stage NOT IN ('embed', 'judge')
ORDER BY ended_at

-- name: select_gate_history
-- Purpose: the gate's counts by outcome and by score of the published runs before one that asked under the same release, newest first; a
-- new prompt or model has figures of its own. Grain: one run.
SELECT earlier.report -> 'gate' -> 'counts' AS counts, coalesce(earlier.report -> 'gate' -> 'scores', '{}') AS scores
FROM synthesis.run AS this
JOIN synthesis.run AS earlier
  ON earlier.release_id = this.release_id AND earlier.started_at < this.started_at
WHERE this.run_id = %(run_id)s AND earlier.published_at IS NOT NULL AND earlier.report -> 'gate' -> 'counts' IS NOT NULL
ORDER BY earlier.started_at DESC
LIMIT 20

-- name: select_gpu_series
-- Purpose: what the cards of a run did over time, few enough points to draw. Inputs: run_id; first, seconds since
--   1970 where bucket 0 begins; width, seconds of a bucket; points, how many there are: rounding may put the first or
--   the last moment beyond them. Grain: one row per lane and card, each figure an array with a value per bucket.
WITH bucketed AS (
  SELECT
    greatest(0, least(%(points)s - 1,
      floor((extract(epoch FROM m.sampled_at)::double precision - %(first)s) / %(width)s)::int)) AS n,
    m.lane,
    m.value ->> 'uuid' AS uuid,
    min(m.value ->> 'name') AS card,
    max((m.value ->> 'celsius')::int) AS celsius,
    round(avg((m.value ->> 'watts')::double precision)::numeric, 1)::double precision AS watts,
    round(avg((m.value ->> 'utilisation')::double precision)::numeric, 1)::double precision AS utilisation,
    max((m.value ->> 'memory_used_mb')::bigint) AS memory_used_mb,
    count(*) FILTER (WHERE jsonb_array_length(m.value -> 'throttle') > 0) AS throttled
  FROM synthesis.run_metric AS m
  WHERE m.run_id = %(run_id)s AND m.kind = 'gpu'
  GROUP BY n, m.lane, uuid
)
SELECT
  c.lane, c.uuid, c.card,
  array_agg(b.celsius ORDER BY n.n) AS celsius,
  array_agg(b.watts ORDER BY n.n) AS watts,
  array_agg(b.utilisation ORDER BY n.n) AS utilisation,
  array_agg(b.memory_used_mb ORDER BY n.n) AS memory_used_mb,
  array_agg(b.throttled ORDER BY n.n) AS throttled
FROM (SELECT lane, uuid, min(card) AS card FROM bucketed GROUP BY lane, uuid) AS c
CROSS JOIN generate_series(0, %(points)s - 1) AS n (n)
LEFT JOIN bucketed AS b ON b.n = n.n AND b.lane IS NOT DISTINCT FROM c.lane AND b.uuid IS NOT DISTINCT FROM c.uuid
GROUP BY c.lane, c.uuid, c.card
ORDER BY c.lane::text, c.uuid

-- name: select_gpus
-- Purpose: heat, power, energy and slow-downs of the cards of a run. Grain: one row per lane and card.
-- A sample stands for the time until the next one, at most 60 seconds: a gap without samples has no energy.
WITH timed AS (
  SELECT
    m.lane, m.value ->> 'uuid' AS uuid, m.value,
    least(60, coalesce(extract(epoch FROM lead(m.sampled_at) OVER (
      PARTITION BY m.lane, m.value ->> 'uuid' ORDER BY m.sampled_at) - m.sampled_at), 0))::double precision AS seconds
  FROM synthesis.run_metric AS m
  WHERE m.run_id = %(run_id)s AND m.kind = 'gpu'
)
SELECT
  t.lane,
  t.uuid,
  min(t.value ->> 'name') AS card,
  count(*) AS samples,
  sum(t.seconds) AS seconds,
  max((t.value ->> 'celsius')::int) AS max_celsius,
  sum((t.value ->> 'watts')::double precision * t.seconds)
    / nullif(sum(t.seconds) FILTER (WHERE t.value ->> 'watts' IS NOT NULL), 0) AS mean_watts,
  sum((t.value ->> 'watts')::double precision * t.seconds) / 3600000 AS kwh,
  sum((t.value ->> 'utilisation')::double precision * t.seconds)
    / nullif(sum(t.seconds) FILTER (WHERE t.value ->> 'utilisation' IS NOT NULL), 0) AS mean_utilisation,
  max((t.value ->> 'memory_used_mb')::bigint) AS max_memory_mb,
  coalesce(sum(t.seconds) FILTER (WHERE jsonb_array_length(t.value -> 'throttle') > 0), 0) AS throttled_seconds,
  (SELECT coalesce(jsonb_object_agg(r.reason, r.seconds), '{}')
   FROM (
     SELECT reason, round(sum(u.seconds)::numeric, 1) AS seconds
     FROM timed AS u CROSS JOIN jsonb_array_elements_text(u.value -> 'throttle') AS reason
     WHERE u.lane IS NOT DISTINCT FROM t.lane AND u.uuid = t.uuid
     GROUP BY reason
   ) AS r) AS throttled_by
FROM timed AS t
GROUP BY t.lane, t.uuid
ORDER BY t.lane, t.uuid

-- name: select_lanes
-- Purpose: the lanes of a run. Grain: one row per lane.
-- output_tokens_per_second is the rate sustained from the first question to the end, load and warm-up left out.
SELECT l.lane, l.state, l.host, l.cards, l.parallelism, l.reason, l.engine, l.model, l.load_seconds,
       l.warm_up_seconds, l.counters, l.gauges,
       extract(epoch FROM coalesce(l.ended_at, now()) - l.started_at)::double precision AS seconds,
       round(((l.counters ->> 'completion_tokens')::bigint / nullif(
         extract(epoch FROM coalesce(l.ended_at, l.heartbeat_at) - l.started_at)
         - coalesce(l.load_seconds, 0)::numeric - coalesce(l.warm_up_seconds, 0)::numeric, 0)), 1
       )::double precision AS output_tokens_per_second,
       l.error
FROM synthesis.lane AS l WHERE l.run_id = %(run_id)s ORDER BY l.lane

-- name: select_optional_failures
-- Purpose: which optional stages of a run failed or did not end, and what to do; the run ends without them.
-- What has begun alone, and so has no peak_mb, is none of them while the run goes on. Grain: one row per stage and part.
SELECT concat_ws(' ', s.stage, nullif(s.part, '')) AS stage, s.error
FROM synthesis.run_stage AS s JOIN synthesis.run AS r USING (run_id)
WHERE s.run_id = %(run_id)s AND s.error IS NOT NULL AND s.stage IN ('embed', 'judge')
  AND (s.peak_mb IS NOT NULL OR r.ended_at IS NOT NULL)
ORDER BY s.stage, s.part

-- name: select_profiles
-- Purpose: what a run made of each document it sent to the model, with the rows that were merged.
-- Grain: one row per planned candidate with an outcome, its last attempt.
SELECT DISTINCT ON (i.candidate_id)
  i.candidate_id,
  d.full_name,
  i.outcome,
  c.reason,
  c.method,
  c.summary,
  c.checks,
  coalesce(s.skills, '{}') AS skills,
  s.domains,
  rows.source_rows,
  cardinality(rows.source_rows) AS row_count
FROM synthesis.run_item AS i
JOIN synthesis.completion AS c
  ON c.candidate_id = i.candidate_id AND c.fingerprint = i.fingerprint AND c.run_id = i.run_id
JOIN synthesis.document AS d ON d.candidate_id = i.candidate_id
LEFT JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = i.candidate_id
CROSS JOIN LATERAL (
  SELECT array_agg(p.source || ' by ' || p.rule ORDER BY p.source, p.source_key) AS source_rows
  FROM synthesis.candidate_source AS p WHERE p.candidate_id = i.candidate_id
) AS rows
WHERE i.run_id = %(run_id)s AND i.outcome IS NOT NULL
ORDER BY i.candidate_id, c.created_at DESC, c.attempt DESC

-- name: select_reader_text
-- Purpose: where source rows address a reader, newest first, with how many fields do in all. Grain: one row and field, at
-- most ten.
SELECT source, source_key, field, count(*) OVER () FROM synthesis.reader_text
ORDER BY found_at DESC, source, source_key, field
LIMIT 10

-- name: select_release
-- Purpose: what the documents of a run were asked under, without prompt text and without who decided.
-- Grain: at most one row.
SELECT b.release_id, b.state, b.engine, b.model, b.model_revision, b.engine_profile, b.prompt_digest,
       b.schema_digest, b.sampling_digest, b.renderer_version, b.sampling, b.created_at, b.approved_at
FROM synthesis.run AS r
JOIN synthesis.release AS b ON b.release_id = r.release_id
WHERE r.run_id = %(run_id)s

-- name: select_run
-- Purpose: the row of a run, by its id or the one that started last; a lane that was cleared and works again makes an
-- ended one a running one. Grain: at most one row.
SELECT r.run_id, CASE WHEN v.again THEN 'running' ELSE r.state END AS state, r.params, r.settings, r.publishes,
       r.candidates, r.planned, r.started_at, r.planned_at, r.ended_at, r.published_at, r.published, r.withdrawn,
       CASE WHEN NOT v.again THEN r.error END AS error, r.notice,
       extract(epoch FROM coalesce(r.ended_at, now()) - r.started_at)::double precision AS seconds
FROM synthesis.run AS r
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT FROM synthesis.lane AS w
    WHERE w.run_id = r.run_id AND w.state = 'running' AND w.started_at > r.ended_at
      AND w.heartbeat_at > now() - interval '10 min') AS again
) AS v
WHERE %(run_id)s = 'latest' OR r.run_id = %(run_id)s
ORDER BY r.started_at DESC
LIMIT 1

-- name: select_series_span
-- Purpose: over what time a run was measured, and the width in seconds of the buckets that its series are drawn in: 600 of
-- them at most, more than a plot has pixels for, and 60,000 values of all series (5 of a card, 3 of a lane), so that the
-- report of many cards can be sent by mail, but 60; a bucket has two samples of a card, so that none is empty because one
-- came a little late, and 5 seconds. Grain: one row; nulls without measurements.
WITH own AS (
  SELECT kind, lane, value ->> 'uuid' AS uuid, sampled_at,
         sampled_at - CASE WHEN kind = 'batch' THEN coalesce((value ->> 'seconds')::double precision, 0) ELSE 0 END
           * interval '1 s' AS started_at
  FROM synthesis.run_metric
  WHERE run_id = %(run_id)s AND kind IN ('gpu', 'batch')
),
span AS (
  SELECT
    extract(epoch FROM min(started_at))::double precision AS first,
    extract(epoch FROM max(sampled_at))::double precision AS last,
    count(DISTINCT (lane, uuid)) FILTER (WHERE kind = 'gpu') AS cards,
    count(DISTINCT lane) FILTER (WHERE kind = 'batch') AS lanes,
    extract(epoch FROM max(sampled_at) FILTER (WHERE kind = 'gpu') - min(sampled_at) FILTER (WHERE kind = 'gpu'))
      / nullif(count(*) FILTER (WHERE kind = 'gpu'), 0) AS seconds_a_sample
  FROM own
)
SELECT
  first,
  last,
  greatest(
    (last - first) / greatest(60, least(600, 60000.0 / nullif(cards * 5 + lanes * 3, 0))),
    2 * seconds_a_sample * cards,
    5
  )::double precision AS width
FROM span

-- name: select_stages
-- Purpose: what each task instance of a run did, without those that have begun alone. Grain: one row per stage and part.
SELECT stage, part, counts, seconds, peak_mb FROM synthesis.run_stage
WHERE run_id = %(run_id)s AND (error IS NULL OR peak_mb IS NOT NULL)
ORDER BY ended_at

-- name: select_token_series
-- Purpose: tokens per second of each lane over time. The tokens of a lease are spread evenly over the time that it
--   was held. Inputs as for the cards. Grain: one row per lane, each figure an array with a value per bucket.
WITH lease AS (
  SELECT
    m.lane,
    extract(epoch FROM m.sampled_at)::double precision - %(first)s AS ended,
    greatest(coalesce((m.value ->> 'seconds')::double precision, 0), 0.001) AS seconds,
    coalesce((m.value ->> 'completion_tokens')::double precision, 0) AS output_tokens,
    coalesce((m.value ->> 'prompt_tokens')::double precision, 0) AS prompt_tokens,
    (m.value ->> 'waiting')::double precision AS waiting
  FROM synthesis.run_metric AS m
  WHERE m.run_id = %(run_id)s AND m.kind = 'batch'
),
spread AS (
  SELECT
    l.lane, b.n AS bucket, l.output_tokens, l.prompt_tokens,
    -- The part of the lease that lies in this bucket.
    (least(l.ended, (b.n + 1) * %(width)s) - greatest(l.ended - l.seconds, b.n * %(width)s)) / l.seconds AS share,
    CASE WHEN b.n = floor(l.ended / %(width)s)::int THEN l.waiting END AS waiting
  FROM lease AS l
  CROSS JOIN LATERAL generate_series(
    floor((l.ended - l.seconds) / %(width)s)::int, floor(l.ended / %(width)s)::int) AS b (n)
),
bucketed AS (
  SELECT
    greatest(0, least(%(points)s - 1, bucket)) AS n,
    lane,
    round((sum(output_tokens * share) / %(width)s)::numeric, 1)::double precision AS output_tokens_per_second,
    round((sum(prompt_tokens * share) / %(width)s)::numeric, 1)::double precision AS prompt_tokens_per_second,
    round(avg(waiting)::numeric, 1)::double precision AS waiting
  FROM spread
  GROUP BY n, lane
)
SELECT
  l.lane,
  array_agg(b.output_tokens_per_second ORDER BY n.n) AS output_tokens_per_second,
  array_agg(b.prompt_tokens_per_second ORDER BY n.n) AS prompt_tokens_per_second,
  array_agg(b.waiting ORDER BY n.n) AS waiting
FROM (SELECT DISTINCT lane FROM bucketed) AS l
CROSS JOIN generate_series(0, %(points)s - 1) AS n (n)
LEFT JOIN bucketed AS b ON b.n = n.n AND b.lane IS NOT DISTINCT FROM l.lane
GROUP BY l.lane
ORDER BY l.lane::text

-- name: select_unfinished
-- Purpose: lanes of a run that did not succeed, and how many answers were stored after it had published and are not
-- served: a lane that lost its task worked on. An extractive one may be kept from view by an older text of the model.
-- Grain: one row.
SELECT
  (SELECT string_agg(lane::text, ', ' ORDER BY lane) FROM synthesis.lane
   WHERE run_id = %(run_id)s AND state <> 'succeeded') AS lanes,
  count(*) AS late
FROM synthesis.run AS r
JOIN synthesis.run_item AS i ON i.run_id = r.run_id
LEFT JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = i.candidate_id
WHERE r.run_id = %(run_id)s AND r.publishes AND i.ended_at > r.published_at
  AND i.outcome IN ('valid', 'repaired', 'extractive') AND (i.outcome <> 'extractive' OR s.method IS DISTINCT FROM 'model')
  AND s.fingerprint IS DISTINCT FROM i.fingerprint

-- name: sum_tokens
-- Purpose: model calls and tokens of a run, and the time its lanes worked. Grain: one row.
SELECT
  count(c.method) FILTER (WHERE c.method = 'model' OR c.raw_text <> '') AS model_calls,
  coalesce(sum(c.prompt_tokens), 0) AS prompt_tokens,
  coalesce(sum(c.completion_tokens), 0) AS completion_tokens,
  coalesce(sum(c.cached_tokens), 0) AS cached_tokens,
  round(coalesce(max(w.seconds), 0), 2)::double precision AS lane_seconds,
  round(sum(c.completion_tokens) / nullif(max(w.seconds), 0), 1)::double precision AS output_tokens_per_second
FROM (
  SELECT extract(epoch FROM max(coalesce(l.ended_at, now())) - min(l.started_at)) AS seconds
  FROM synthesis.lane AS l WHERE l.run_id = %(run_id)s
) AS w
LEFT JOIN synthesis.completion AS c ON c.run_id = %(run_id)s

-- name: remove_run_stage
-- Purpose: forget that a task instance began, where it will not be done after all; one that ended keeps its row.
-- Inputs: run_id, stage, part. Grain: at most one row.
DELETE FROM synthesis.run_stage
WHERE run_id = %(run_id)s AND stage = %(stage)s AND part = %(part)s AND error IS NOT NULL AND peak_mb IS NULL

-- name: upsert_run_stage
-- Purpose: record what one task instance of a run did, or why it failed; nothing of a run that has no row, because
-- it failed before. Grain: one row per run, stage and part.
INSERT INTO synthesis.run_stage (run_id, stage, part, counts, seconds, peak_mb, error)
SELECT run_id, %(stage)s, %(part)s, %(counts)s, %(seconds)s, %(peak_mb)s, %(error)s
FROM synthesis.run WHERE run_id = %(run_id)s
ON CONFLICT (run_id, stage, part) DO UPDATE
SET counts = excluded.counts, seconds = excluded.seconds, peak_mb = excluded.peak_mb, error = excluded.error,
  ended_at = now()
