-- Purpose: why stages of a run failed, first failure first. What is optional and runs after publish fails alone, as a
-- red task, and no run with it. Grain: one row per failed stage and part.
SELECT concat_ws(' ', stage, nullif(part, '')) AS stage, error
FROM synthesis.run_stage WHERE run_id = %(run_id)s AND error IS NOT NULL AND stage NOT IN ('embed', 'judge')
ORDER BY ended_at
