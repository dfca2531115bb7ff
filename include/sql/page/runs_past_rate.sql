-- Purpose: how many documents a second one lane of the same model and engine ended in the last month: the median.
-- Inputs: engine, model. Grain: one row.
SELECT
  percentile_cont(0.5) WITHIN GROUP (ORDER BY w.documents / w.seconds) AS documents_per_second,
  count(*) AS lanes
FROM (
  SELECT
    (coalesce((l.counters ->> 'valid')::bigint, 0) + coalesce((l.counters ->> 'repaired')::bigint, 0)
      + coalesce((l.counters ->> 'extractive')::bigint, 0) + coalesce((l.counters ->> 'rejected')::bigint, 0)
    )::double precision AS documents,
    extract(epoch FROM l.ended_at - l.started_at)::double precision - coalesce(l.load_seconds, 0)
      - coalesce(l.warm_up_seconds, 0) AS seconds
  FROM synthesis.lane AS l
  JOIN synthesis.run AS r ON r.run_id = l.run_id
  JOIN synthesis.release AS b ON b.release_id = r.release_id
  WHERE l.state = 'succeeded' AND b.engine = %(engine)s AND b.model = %(model)s
    AND l.ended_at > now() - interval '30 days'
) AS w
WHERE w.documents > 0 AND w.seconds > 0
