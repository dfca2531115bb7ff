-- Purpose: why stages of a run failed, first failure first. Grain: one row per failed stage and part.
SELECT concat_ws(' ', stage, nullif(part, '')) AS stage, error
FROM synthesis.run_stage WHERE run_id = %(run_id)s AND error IS NOT NULL ORDER BY ended_at
