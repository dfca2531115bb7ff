-- Purpose: model calls and tokens of a run, and the time its lanes worked. Grain: one row.
SELECT
  count(*) FILTER (WHERE c.method = 'model' OR c.raw_text <> '') AS model_calls,
  coalesce(sum(c.prompt_tokens), 0) AS prompt_tokens,
  coalesce(sum(c.completion_tokens), 0) AS completion_tokens,
  coalesce(sum(c.reasoning_tokens), 0) AS reasoning_tokens,
  coalesce(sum(c.cached_tokens), 0) AS cached_tokens,
  (SELECT extract(epoch FROM max(coalesce(l.ended_at, now())) - min(l.started_at))
   FROM synthesis.lane AS l WHERE l.run_id = %(run_id)s) AS lane_seconds
FROM synthesis.completion AS c
WHERE c.run_id = %(run_id)s
