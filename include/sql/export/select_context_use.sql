-- Purpose: how much of the context window prompts and answers of a run took. Grain: one row.
-- tenths: answers by the tenth of the window that they ended in, or above it; empty where the window is not known.
WITH used AS (
  SELECT prompt_tokens + completion_tokens AS tokens FROM synthesis.completion
  WHERE run_id = %(run_id)s AND prompt_tokens > 0
),
tenth AS (
  SELECT width_bucket(tokens, 0, %(context)s::bigint, 10) AS n, count(*) AS answers FROM used
  WHERE %(context)s::bigint IS NOT NULL GROUP BY 1
)
SELECT
  count(*) AS answers,
  avg(tokens)::double precision AS mean,
  percentile_disc(0.5) WITHIN GROUP (ORDER BY tokens) AS median,
  percentile_disc(0.95) WITHIN GROUP (ORDER BY tokens) AS p95,
  percentile_disc(0.99) WITHIN GROUP (ORDER BY tokens) AS p99,
  max(tokens) AS max,
  (SELECT coalesce(jsonb_object_agg(
     CASE WHEN n > 10 THEN 'above' ELSE (n * 10) || ' %%' END, answers), '{}') FROM tenth) AS tenths
FROM used
