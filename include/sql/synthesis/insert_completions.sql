-- Purpose: append attempts and add their tokens to the batch; a repeated call adds nothing.
-- Inputs: attempts, a JSON array of rows. Grain: one row per attempt; returns how many were new.
WITH added AS (
  INSERT INTO synthesis.completion (
    candidate_id, fingerprint, attempt_id, run_id, batch_id, release_id, content_hash, attempt, is_terminal,
    is_accepted, outcome, reason, method, raw_text, summary, skills, inferred_skills, checks, finish_reason,
    prompt_tokens, completion_tokens, cached_tokens, seconds, mean_logprob, reasoning_tokens,
    removed, supported, claims)
  SELECT
    a.candidate_id, a.fingerprint, a.attempt_id, r.run_id, %(batch_id)s, r.release_id, a.content_hash, a.attempt,
    a.is_terminal,
    a.wants_accepted AND NOT EXISTS (
      SELECT 1 FROM synthesis.completion AS c
      WHERE c.candidate_id = a.candidate_id AND c.fingerprint = a.fingerprint AND c.is_accepted),
    a.outcome, a.reason, a.method, a.raw_text, a.summary, a.skills, a.inferred_skills, a.checks, a.finish_reason,
    a.prompt_tokens, a.completion_tokens, a.cached_tokens, a.seconds, a.mean_logprob,
    a.reasoning_tokens, a.removed, a.supported, a.claims
  FROM jsonb_to_recordset(%(attempts)s) AS a (
    candidate_id bigint, fingerprint text, attempt_id text, content_hash text, attempt integer,
    is_terminal boolean, wants_accepted boolean, outcome text, reason text, method text, raw_text text,
    summary text, skills jsonb, inferred_skills text[], checks jsonb, finish_reason text,
    prompt_tokens integer, completion_tokens integer, cached_tokens integer, seconds double precision,
    mean_logprob real, reasoning_tokens integer, removed jsonb, supported integer, claims integer)
  CROSS JOIN synthesis.run AS r
  WHERE r.run_id = %(run_id)s
  ON CONFLICT (candidate_id, fingerprint, attempt_id) DO NOTHING
  RETURNING prompt_tokens, completion_tokens, cached_tokens
),
total AS (
  SELECT count(*) AS n, coalesce(sum(prompt_tokens), 0) AS prompt_tokens,
         coalesce(sum(completion_tokens), 0) AS completion_tokens, coalesce(sum(cached_tokens), 0) AS cached_tokens
  FROM added
)
UPDATE synthesis.batch AS b
SET prompt_tokens = b.prompt_tokens + total.prompt_tokens,
    completion_tokens = b.completion_tokens + total.completion_tokens,
    cached_tokens = b.cached_tokens + total.cached_tokens
FROM total
WHERE b.batch_id = %(batch_id)s
RETURNING total.n
