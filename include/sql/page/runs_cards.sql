-- Purpose: what each card of a run said last, within two minutes of the newest sample. Grain: one row per lane and card.
SELECT DISTINCT ON (m.lane, m.value ->> 'uuid')
  m.lane, m.value ->> 'uuid' AS uuid, m.value ->> 'name' AS name, m.sampled_at,
  (m.value ->> 'celsius')::int AS celsius,
  (m.value ->> 'watts')::double precision AS watts,
  (m.value ->> 'utilisation')::int AS utilisation,
  (m.value ->> 'memory_used_mb')::bigint AS memory_used_mb,
  (m.value ->> 'memory_total_mb')::bigint AS memory_total_mb,
  m.value -> 'throttle' AS throttle
FROM synthesis.run_metric AS m
WHERE m.run_id = %(run_id)s AND m.kind = 'gpu'
  AND m.sampled_at > (
    SELECT max(n.sampled_at) - interval '2 minutes' FROM synthesis.run_metric AS n
    WHERE n.run_id = %(run_id)s AND n.kind = 'gpu')
ORDER BY m.lane, m.value ->> 'uuid', m.sampled_at DESC
