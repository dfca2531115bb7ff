-- Purpose: what a lane really gave and a document really cost, from last month's lanes of the same model.
-- Grain: one row; nulls without a measurement. Refused attempts are part of what their document cost.
SELECT
  (sum(done.tokens) / nullif(sum(done.documents), 0))::double precision AS output_tokens_each,
  (sum(done.tokens) / nullif(sum(done.seconds), 0))::double precision AS tokens_per_second
FROM (
  SELECT
    (l.counters ->> 'completion_tokens')::double precision AS tokens,
    coalesce((l.counters ->> 'valid')::bigint, 0) + coalesce((l.counters ->> 'repaired')::bigint, 0)
      + coalesce((l.counters ->> 'extractive')::bigint, 0)
      + coalesce((l.counters ->> 'rejected')::bigint, 0) AS documents,
    extract(epoch FROM l.ended_at - l.started_at) - coalesce(l.load_seconds, 0)
      - coalesce(l.warm_up_seconds, 0) AS seconds
  FROM synthesis.lane AS l
  JOIN synthesis.run AS r ON r.run_id = l.run_id
  JOIN synthesis.release AS b ON b.release_id = r.release_id
  WHERE l.state = 'succeeded' AND b.model = %(model)s AND b.engine = %(engine)s
    AND l.ended_at > now() - interval '30 days'
    AND (l.counters ->> 'completion_tokens')::double precision > 0
) AS done
