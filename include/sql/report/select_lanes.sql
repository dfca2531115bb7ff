-- Purpose: the lanes of a run. Grain: one row per lane.
-- output_tokens_per_second is the rate sustained from the first question to the end, load and warm-up left out.
SELECT l.lane, l.state, l.host, l.cards, l.parallelism, l.reason, l.engine, l.model, l.load_seconds,
       l.warm_up_seconds, l.first_batch_seconds, l.counters, l.gauges,
       extract(epoch FROM coalesce(l.ended_at, now()) - l.started_at)::double precision AS seconds,
       round(((l.counters ->> 'completion_tokens')::bigint / nullif(
         extract(epoch FROM coalesce(l.ended_at, l.heartbeat_at) - l.started_at)
         - coalesce(l.load_seconds, 0)::numeric - coalesce(l.warm_up_seconds, 0)::numeric, 0)), 1
       )::double precision AS output_tokens_per_second,
       l.error
FROM synthesis.lane AS l WHERE l.run_id = %(run_id)s ORDER BY l.lane
