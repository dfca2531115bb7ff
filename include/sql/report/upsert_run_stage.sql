-- Purpose: record what one task instance of a run did. Grain: one row per run, stage and part.
INSERT INTO synthesis.run_stage (run_id, stage, part, counts, seconds, peak_mb)
VALUES (%(run_id)s, %(stage)s, %(part)s, %(counts)s, %(seconds)s, %(peak_mb)s)
ON CONFLICT (run_id, stage, part) DO UPDATE
SET counts = excluded.counts, seconds = excluded.seconds, peak_mb = excluded.peak_mb, ended_at = now()
