-- Purpose: the lanes of a run with what they hold now. Grain: one row per lane.
-- working_seconds: from the first question, load and warm-up left out.
WITH held AS (
  SELECT lane, count(*) AS batches, sum(size) AS documents
  FROM synthesis.batch
  WHERE state = 'leased' AND run_id = %(run_id)s
  GROUP BY lane
)
SELECT
  l.lane, l.state, l.host, l.cards, l.parallelism, l.reason, l.engine, l.model, l.load_seconds, l.warm_up_seconds,
  l.counters, l.gauges, l.started_at, l.heartbeat_at, l.ended_at, l.error,
  coalesce(h.batches, 0) AS leases,
  coalesce(h.documents, 0) AS leased_documents,
  greatest(0, extract(epoch FROM coalesce(l.ended_at, l.heartbeat_at) - l.started_at)::double precision
    - coalesce(l.load_seconds, 0) - coalesce(l.warm_up_seconds, 0)) AS working_seconds
FROM synthesis.lane AS l
LEFT JOIN held AS h ON h.lane = l.lane
WHERE l.run_id = %(run_id)s
ORDER BY l.lane
