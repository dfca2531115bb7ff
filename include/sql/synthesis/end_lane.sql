-- Purpose: close the row of a lane. Grain: one lane of a run.
UPDATE synthesis.lane
SET state = %(state)s, counters = %(counters)s, load_seconds = coalesce(%(load_seconds)s, load_seconds),
    warm_up_seconds = coalesce(%(warm_up_seconds)s, warm_up_seconds),
    first_batch_seconds = coalesce(%(first_batch_seconds)s, first_batch_seconds),
    heartbeat_at = now(), ended_at = now(), reason = coalesce(%(reason)s, reason), error = %(error)s
WHERE run_id = %(run_id)s AND lane = %(lane)s
