-- Purpose: which optional stages of a run failed or did not end, and what to do; the run ends without them.
-- Grain: one row per stage and part.
SELECT concat_ws(' ', stage, nullif(part, '')) AS stage, error
FROM synthesis.run_stage WHERE run_id = %(run_id)s AND error IS NOT NULL AND stage IN ('embed', 'judge')
ORDER BY stage, part
