-- name: select_completions
-- Purpose: every answer of a run as it came, with the gate's verdict. Grain: one row per attempt.
SELECT c.candidate_id, c.fingerprint, c.attempt, c.attempt_id, c.outcome, c.reason, c.method, c.is_terminal,
       c.is_accepted, c.raw_text, c.summary, c.skills, c.inferred_skills, c.checks, c.removed,
       c.supported, c.claims, c.finish_reason,
       c.prompt_tokens, c.completion_tokens, c.cached_tokens, c.seconds,
       b.lane, c.release_id, c.content_hash, c.created_at
FROM synthesis.completion AS c
LEFT JOIN synthesis.batch AS b ON b.batch_id = c.batch_id
WHERE c.run_id = %(run_id)s
ORDER BY c.candidate_id, c.created_at, c.attempt_id

-- name: select_context_use
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

-- name: sum_answers
-- Purpose: what the answers of a run came to: reasons of refused attempts, time. Grain: one row.
SELECT
  round(count(*) FILTER (WHERE is_terminal AND outcome IN ('valid', 'repaired'))::numeric
    / nullif(count(*) FILTER (WHERE is_terminal), 0), 4)::double precision AS success_rate,
  count(*) AS attempts,
  (SELECT coalesce(jsonb_object_agg(reason, attempts), '{}') FROM (
     SELECT coalesce(reason, 'unknown') AS reason, count(*) AS attempts FROM synthesis.completion
     WHERE run_id = %(run_id)s AND (outcome IN ('rejected', 'extractive') OR NOT is_terminal)
     GROUP BY 1) AS f) AS failures,
  percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median_answer_seconds
FROM synthesis.completion
WHERE run_id = %(run_id)s
