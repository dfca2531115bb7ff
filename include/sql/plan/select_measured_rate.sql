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
