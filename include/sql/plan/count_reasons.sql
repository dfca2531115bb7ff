-- Purpose: why documents are stale. Grain: one row per reason.
SELECT reason, count(*) AS documents FROM synthesis.run_item WHERE run_id = %(run_id)s GROUP BY reason ORDER BY reason
