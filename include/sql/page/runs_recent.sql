-- Purpose: how many documents a run's lanes ended lately. Inputs: run_id; seconds to look back. Grain: one row.
-- measured_seconds: how long the run has been measured, so that a young run is not divided by the whole time.
SELECT
  coalesce(sum((m.value ->> 'done')::bigint) FILTER (
    WHERE m.sampled_at > now() - make_interval(secs => %(seconds)s)), 0) AS documents,
  extract(epoch FROM now() - min(m.sampled_at - make_interval(secs => (m.value ->> 'seconds')::double precision))
  )::double precision AS measured_seconds
FROM synthesis.run_metric AS m
WHERE m.run_id = %(run_id)s AND m.kind = 'batch'
