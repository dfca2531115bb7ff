-- Purpose: the row of one run. Grain: one row.
SELECT run_id, state, params, release_id, publishes, candidates, fresh, too_thin, planned, stop_at, started_at,
       planned_at, published_at, published, withdrawn, ended_at, error, notice,
       extract(epoch FROM coalesce(ended_at, now()) - started_at) AS seconds
FROM synthesis.run WHERE run_id = %(run_id)s
