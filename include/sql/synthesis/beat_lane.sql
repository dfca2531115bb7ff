-- Purpose: say that a lane lives and what it has done. Grain: one lane of a run.
UPDATE synthesis.lane
SET heartbeat_at = now(), counters = %(counters)s, load_seconds = coalesce(%(load_seconds)s, load_seconds)
WHERE run_id = %(run_id)s AND lane = %(lane)s
