-- Purpose: the run that started last; a lane that was cleared and works again makes an ended one a running one.
-- Grain: at most one row.
SELECT r.run_id, CASE WHEN v.again THEN 'running' ELSE r.state END AS state, r.started_at, r.published_at,
       CASE WHEN NOT v.again THEN r.error END AS error
FROM synthesis.run AS r
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT FROM synthesis.lane AS w
    WHERE w.run_id = r.run_id AND w.state = 'running' AND w.started_at > r.ended_at
      AND w.heartbeat_at > now() - interval '10 min') AS again
) AS v
ORDER BY r.started_at DESC
LIMIT 1
