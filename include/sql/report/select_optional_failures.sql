-- Purpose: which optional stages of a run failed or did not end, and what to do; the run ends without them.
-- What has begun alone, and so has no peak_mb, is none of them while the run goes on. Grain: one row per stage and part.
SELECT concat_ws(' ', s.stage, nullif(s.part, '')) AS stage, s.error
FROM synthesis.run_stage AS s JOIN synthesis.run AS r USING (run_id)
WHERE s.run_id = %(run_id)s AND s.error IS NOT NULL AND s.stage IN ('embed', 'judge')
  AND (s.peak_mb IS NOT NULL OR r.ended_at IS NOT NULL)
ORDER BY s.stage, s.part
