-- Purpose: tokens per second of each lane over time. The tokens of a lease are spread evenly over the time that it
--   was held. Inputs: run_id; first, seconds since 1970 where bucket 0 begins; width, seconds of a bucket.
-- Grain: one row per bucket of time and lane.
WITH lease AS (
  SELECT
    m.lane,
    extract(epoch FROM m.sampled_at)::double precision - %(first)s AS ended,
    greatest(coalesce((m.value ->> 'seconds')::double precision, 0), 0.001) AS seconds,
    coalesce((m.value ->> 'completion_tokens')::double precision, 0) AS output_tokens,
    coalesce((m.value ->> 'prompt_tokens')::double precision, 0) AS prompt_tokens,
    (m.value ->> 'waiting')::double precision AS waiting
  FROM synthesis.run_metric AS m
  WHERE m.run_id = %(run_id)s AND m.kind = 'batch'
),
spread AS (
  SELECT
    l.lane, b.n AS bucket, l.output_tokens, l.prompt_tokens,
    -- The part of the lease that lies in this bucket.
    (least(l.ended, (b.n + 1) * %(width)s) - greatest(l.ended - l.seconds, b.n * %(width)s)) / l.seconds AS share,
    CASE WHEN b.n = floor(l.ended / %(width)s)::int THEN l.waiting END AS waiting
  FROM lease AS l
  CROSS JOIN LATERAL generate_series(
    floor((l.ended - l.seconds) / %(width)s)::int, floor(l.ended / %(width)s)::int) AS b (n)
)
SELECT
  bucket,
  lane,
  round((sum(output_tokens * share) / %(width)s)::numeric, 1)::double precision AS output_tokens_per_second,
  round((sum(prompt_tokens * share) / %(width)s)::numeric, 1)::double precision AS prompt_tokens_per_second,
  round(avg(waiting)::numeric, 1)::double precision AS waiting
FROM spread
GROUP BY bucket, lane
ORDER BY bucket, lane
