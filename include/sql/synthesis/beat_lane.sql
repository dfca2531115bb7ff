-- Purpose: say that a lane lives, what it has done and what its engine said last. Grain: one lane of a run.
UPDATE synthesis.lane
SET heartbeat_at = now(), counters = %(counters)s, gauges = %(gauges)s,
    load_seconds = coalesce(%(load_seconds)s, load_seconds),
    warm_up_seconds = coalesce(%(warm_up_seconds)s, warm_up_seconds),
    first_batch_seconds = coalesce(%(first_batch_seconds)s, first_batch_seconds)
WHERE run_id = %(run_id)s AND lane = %(lane)s
