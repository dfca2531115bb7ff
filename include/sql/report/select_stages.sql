-- Purpose: what each task instance of a run did. Grain: one row per stage and part.
SELECT stage, part, counts, seconds, peak_mb FROM synthesis.run_stage
WHERE run_id = %(run_id)s ORDER BY ended_at
