-- Purpose: one run, with those parts of its report that are small; they are null before it reported. A lane that was
--   cleared and works again makes an ended run a running one. Grain: one row.
SELECT
  r.run_id, CASE WHEN v.again THEN 'running' ELSE r.state END AS state, r.publishes, r.params, r.settings, r.release_id,
  r.candidates, r.fresh, r.too_thin, r.planned, r.stop_at, r.started_at, r.planned_at, r.published_at, r.published,
  r.withdrawn, CASE WHEN NOT v.again THEN r.ended_at END AS ended_at, CASE WHEN NOT v.again THEN r.error END AS error,
  r.notice, now() AS now,
  extract(epoch FROM CASE WHEN r.ended_at IS NULL OR v.again THEN now() ELSE r.ended_at END - r.started_at)
    ::double precision AS seconds,
  l.engine, l.model, l.engine_profile,
  r.report -> 'buckets' AS reported_buckets,
  r.report -> 'gate' AS reported_gate,
  r.report -> 'reader_text' AS reported_reader_text,
  r.report -> 'stale' AS reported_stale,
  r.report -> 'gpus' AS reported_cards,
  (r.report ->> 'energy_kwh')::double precision AS energy_kwh
FROM synthesis.run AS r
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT FROM synthesis.lane AS w
    WHERE w.run_id = r.run_id AND w.state = 'running' AND w.started_at > r.ended_at
      AND w.heartbeat_at > now() - interval '10 min') AS again
) AS v
LEFT JOIN synthesis.release AS l ON l.release_id = r.release_id
WHERE r.run_id = %(run_id)s
