-- Purpose: runs, newest first, a page at a time. Inputs: before, a run_id that comes before the first wanted or null;
--   limit. The report is left out: it may be large. Grain: one row per run.
SELECT
  r.run_id, CASE WHEN v.again THEN 'running' ELSE r.state END AS state, r.publishes, r.candidates, r.planned, r.published, r.withdrawn, r.started_at, r.ended_at,
  extract(epoch FROM coalesce(r.ended_at, now()) - r.started_at)::double precision AS seconds,
  l.engine, l.model, left(r.error, 300) AS error
FROM synthesis.run AS r
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT FROM synthesis.lane AS w
    WHERE w.run_id = r.run_id AND w.state = 'running' AND w.started_at > r.ended_at
      AND w.heartbeat_at > now() - interval '10 min') AS again
) AS v
LEFT JOIN synthesis.release AS l ON l.release_id = r.release_id
WHERE %(before)s::text IS NULL
   OR (r.started_at, r.run_id) < (SELECT b.started_at, b.run_id FROM synthesis.run AS b WHERE b.run_id = %(before)s::text)
ORDER BY r.started_at DESC, r.run_id DESC
LIMIT %(limit)s
