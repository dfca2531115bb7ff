-- Purpose: close the row of a lane. Grain: one lane of a run.
UPDATE synthesis.lane
SET state = %(state)s, counters = %(counters)s, load_seconds = coalesce(%(load_seconds)s, load_seconds),
    heartbeat_at = now(), ended_at = now(), reason = coalesce(%(reason)s, reason), error = %(error)s
WHERE run_id = %(run_id)s AND lane = %(lane)s
