-- Purpose: what the answers of a run came to: reasons of refused attempts, time. Grain: one row.
SELECT
  count(*) AS attempts,
  count(*) FILTER (WHERE is_terminal) AS documents,
  count(*) FILTER (WHERE is_terminal AND outcome IN ('valid', 'repaired')) AS succeeded,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median_seconds,
  (SELECT coalesce(jsonb_object_agg(reason, attempts), '{}') FROM (
     SELECT coalesce(reason, 'unknown') AS reason, count(*) AS attempts FROM synthesis.completion
     WHERE run_id = %(run_id)s AND (outcome IN ('rejected', 'extractive') OR NOT is_terminal)
     GROUP BY 1) AS f) AS failures
FROM synthesis.completion
WHERE run_id = %(run_id)s
