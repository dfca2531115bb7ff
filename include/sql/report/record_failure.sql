-- Purpose: record the failure of a task outside its stage, and open the row of a run that has none yet. A run that
-- has a recorded failure keeps it alone, because what follows fails with it. Grain: at most one row.
WITH opened AS (
  INSERT INTO synthesis.run (run_id, state) VALUES (%(run_id)s, 'running') ON CONFLICT DO NOTHING
)
INSERT INTO synthesis.run_stage (run_id, stage, part, counts, seconds, peak_mb, error)
SELECT %(run_id)s, %(stage)s, %(part)s, '{}', 0, 0, %(error)s
WHERE NOT EXISTS (
  SELECT FROM synthesis.run_stage AS s
  WHERE s.run_id = %(run_id)s AND s.error IS NOT NULL AND s.peak_mb IS NOT NULL AND s.stage NOT IN ('embed', 'judge')
    AND (s.stage, s.part) <> (%(stage)s, %(part)s))
ON CONFLICT (run_id, stage, part) DO UPDATE SET error = excluded.error, ended_at = now()
