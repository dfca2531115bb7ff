-- Purpose: forget what record_failure kept of a task that has succeeded since; a stage's own row stays.
-- Grain: at most one row.
DELETE FROM synthesis.run_stage
WHERE run_id = %(run_id)s AND stage = %(stage)s AND part = %(part)s AND error IS NOT NULL AND counts = '{}'
