-- Purpose: what a lane really gives, from recent batches of the same model. Grain: one row; nulls without a measurement.
SELECT
  avg(w.completion_tokens)::double precision AS output_tokens_each,
  (SELECT sum((l.counters ->> 'completion_tokens')::double precision)
          / nullif(sum(extract(epoch FROM l.ended_at - l.started_at) - coalesce(l.load_seconds, 0)), 0)
   FROM synthesis.lane AS l
   JOIN synthesis.run AS r ON r.run_id = l.run_id
   JOIN synthesis.release AS b ON b.release_id = r.release_id
   WHERE l.state = 'succeeded' AND b.model = %(model)s AND b.engine = %(engine)s
     AND l.ended_at > now() - interval '30 days'
     AND (l.counters ->> 'completion_tokens')::double precision > 0)::double precision AS tokens_per_second
FROM (
  SELECT c.completion_tokens
  FROM synthesis.completion AS c
  JOIN synthesis.release AS b ON b.release_id = c.release_id
  WHERE b.model = %(model)s AND b.engine = %(engine)s AND c.method = 'model'
  LIMIT 10000
) AS w
