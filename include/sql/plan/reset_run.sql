-- Purpose: make room for planning a run again. Live leases of the run end, so that a lane that still works on
--   the old plan is fenced. Grain: one row per lease ended.
UPDATE synthesis.batch SET state = 'released', ended_at = now() WHERE run_id = %(run_id)s AND state = 'leased'
