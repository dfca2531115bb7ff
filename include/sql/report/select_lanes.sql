-- Purpose: the lanes of a run. Grain: one row per lane.
SELECT lane, state, host, cards, parallelism, reason, engine, model, load_seconds, counters,
       extract(epoch FROM coalesce(ended_at, now()) - started_at) AS seconds, error
FROM synthesis.lane WHERE run_id = %(run_id)s ORDER BY lane
