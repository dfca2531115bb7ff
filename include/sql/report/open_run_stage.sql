-- Purpose: say of a task instance that it has not ended, until it does: one whose host is gone cannot say it itself.
-- Inputs: run_id, stage, part, error; again, whether one that ended before is open again. Grain: one row.
INSERT INTO synthesis.run_stage (run_id, stage, part, counts, seconds, error)
VALUES (%(run_id)s, %(stage)s, %(part)s, '{}', 0, %(error)s)
ON CONFLICT (run_id, stage, part) DO UPDATE
SET counts = excluded.counts, seconds = excluded.seconds, peak_mb = excluded.peak_mb, error = excluded.error,
  ended_at = now()
WHERE %(again)s
