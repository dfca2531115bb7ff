-- Purpose: over what time a run was measured, and by how many series. Grain: one row; nulls without measurements.
-- sample_seconds: mean time between two samples of one card; null where no card was sampled.
WITH own AS (
  SELECT kind, lane, value ->> 'uuid' AS uuid, sampled_at,
         sampled_at - CASE WHEN kind = 'batch' THEN coalesce((value ->> 'seconds')::double precision, 0) ELSE 0 END
           * interval '1 s' AS started_at
  FROM synthesis.run_metric
  WHERE run_id = %(run_id)s AND kind IN ('gpu', 'batch')
)
SELECT
  extract(epoch FROM min(started_at))::double precision AS first,
  extract(epoch FROM max(sampled_at))::double precision AS last,
  count(DISTINCT (lane, uuid)) FILTER (WHERE kind = 'gpu') AS cards,
  count(DISTINCT lane) FILTER (WHERE kind = 'batch') AS lanes,
  (extract(epoch FROM max(sampled_at) FILTER (WHERE kind = 'gpu') - min(sampled_at) FILTER (WHERE kind = 'gpu'))
    * count(DISTINCT (lane, uuid)) FILTER (WHERE kind = 'gpu')
    / nullif(count(*) FILTER (WHERE kind = 'gpu'), 0))::double precision AS sample_seconds
FROM own
