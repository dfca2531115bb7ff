-- Purpose: record what one task instance of a run did, or why it failed. Grain: one row per run, stage and part.
INSERT INTO synthesis.run_stage (run_id, stage, part, counts, seconds, peak_mb, error)
VALUES (%(run_id)s, %(stage)s, %(part)s, %(counts)s, %(seconds)s, %(peak_mb)s, %(error)s)
ON CONFLICT (run_id, stage, part) DO UPDATE
SET counts = excluded.counts, seconds = excluded.seconds, peak_mb = excluded.peak_mb, error = excluded.error,
  ended_at = now()
