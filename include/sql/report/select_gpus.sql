-- Purpose: heat, power, energy and slow-downs of the cards of a run. Grain: one row per lane and card.
-- A sample stands for the time until the next one, at most 60 seconds: a gap without samples has no energy.
WITH timed AS (
  SELECT
    m.lane, m.value ->> 'uuid' AS uuid, m.value,
    least(60, coalesce(extract(epoch FROM lead(m.sampled_at) OVER (
      PARTITION BY m.lane, m.value ->> 'uuid' ORDER BY m.sampled_at) - m.sampled_at), 0))::double precision AS seconds
  FROM synthesis.run_metric AS m
  WHERE m.run_id = %(run_id)s AND m.kind = 'gpu'
)
SELECT
  t.lane,
  t.uuid,
  min(t.value ->> 'name') AS card,
  count(*) AS samples,
  sum(t.seconds) AS seconds,
  max((t.value ->> 'celsius')::int) AS max_celsius,
  sum((t.value ->> 'watts')::double precision * t.seconds)
    / nullif(sum(t.seconds) FILTER (WHERE t.value ->> 'watts' IS NOT NULL), 0) AS mean_watts,
  sum((t.value ->> 'watts')::double precision * t.seconds) / 3600000 AS kwh,
  sum((t.value ->> 'utilisation')::double precision * t.seconds)
    / nullif(sum(t.seconds) FILTER (WHERE t.value ->> 'utilisation' IS NOT NULL), 0) AS mean_utilisation,
  max((t.value ->> 'memory_used_mb')::bigint) AS max_memory_mb,
  coalesce(sum(t.seconds) FILTER (WHERE jsonb_array_length(t.value -> 'throttle') > 0), 0) AS throttled_seconds,
  (SELECT coalesce(jsonb_object_agg(r.reason, r.seconds), '{}')
   FROM (
     SELECT reason, round(sum(u.seconds)::numeric, 1) AS seconds
     FROM timed AS u CROSS JOIN jsonb_array_elements_text(u.value -> 'throttle') AS reason
     WHERE u.lane IS NOT DISTINCT FROM t.lane AND u.uuid = t.uuid
     GROUP BY reason
   ) AS r) AS throttled_by,
  max((t.value ->> 'lost_before')::int) AS lost_samples
FROM timed AS t
GROUP BY t.lane, t.uuid
ORDER BY t.lane, t.uuid
