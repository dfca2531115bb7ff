-- Purpose: keep on a run that it failed or is late. Inputs: message; failed, false for a run that is late.
-- A failure that explains itself keeps its own words; else the stages that failed say it, without the optional ones,
-- which fail no run. Grain: one run.
UPDATE synthesis.run AS r
SET state = CASE WHEN %(failed)s THEN 'failed' ELSE r.state END,
    ended_at = CASE WHEN %(failed)s THEN coalesce(r.ended_at, now()) ELSE r.ended_at END,
    error = CASE
      WHEN %(failed)s THEN coalesce(r.error, said.error, %(message)s)
      WHEN r.error LIKE '%%' || %(message)s || '%%' THEN r.error
      ELSE concat_ws('; ', r.error, %(message)s)
    END
FROM (
  SELECT string_agg(s.stage || ': ' || s.error, '; ' ORDER BY s.ended_at) AS error
  FROM synthesis.run_stage AS s
  WHERE s.run_id = %(run_id)s AND s.error IS NOT NULL AND s.stage NOT IN ('embed', 'judge')
) AS said
WHERE r.run_id = %(run_id)s
RETURNING r.error
