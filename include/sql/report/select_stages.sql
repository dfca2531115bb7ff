-- Purpose: what each task instance of a run did, without those that have begun alone. Grain: one row per stage and part.
SELECT stage, part, counts, seconds, peak_mb FROM synthesis.run_stage
WHERE run_id = %(run_id)s AND (error IS NULL OR peak_mb IS NOT NULL)
ORDER BY ended_at
