-- Purpose: forget that a task instance began, where it will not be done after all; one that ended keeps its row.
-- Inputs: run_id, stage, part. Grain: at most one row.
DELETE FROM synthesis.run_stage
WHERE run_id = %(run_id)s AND stage = %(stage)s AND part = %(part)s AND error IS NOT NULL AND peak_mb IS NULL
