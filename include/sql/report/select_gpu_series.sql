-- Purpose: what the cards of a run did over time, few enough points to draw. Inputs: run_id; first, seconds since
--   1970 where bucket 0 begins; width, seconds of a bucket. Grain: one row per bucket of time, lane and card.
SELECT
  floor((extract(epoch FROM m.sampled_at)::double precision - %(first)s) / %(width)s)::int AS bucket,
  m.lane,
  m.value ->> 'uuid' AS uuid,
  min(m.value ->> 'name') AS card,
  max((m.value ->> 'celsius')::int) AS celsius,
  round(avg((m.value ->> 'watts')::double precision)::numeric, 1)::double precision AS watts,
  round(avg((m.value ->> 'utilisation')::double precision)::numeric, 1)::double precision AS utilisation,
  max((m.value ->> 'memory_used_mb')::bigint) AS memory_used_mb,
  count(*) FILTER (WHERE jsonb_array_length(m.value -> 'throttle') > 0) AS throttled
FROM synthesis.run_metric AS m
WHERE m.run_id = %(run_id)s AND m.kind = 'gpu'
GROUP BY bucket, m.lane, uuid
ORDER BY bucket, m.lane, uuid
