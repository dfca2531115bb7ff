-- Purpose: every answer of a run as it came, with the gate's verdict. Grain: one row per attempt.
SELECT c.candidate_id, c.fingerprint, c.attempt, c.attempt_id, c.outcome, c.reason, c.method, c.is_terminal,
       c.is_accepted, c.raw_text, c.summary, c.skills, c.inferred_skills, c.checks, c.removed,
       c.supported, c.claims, c.finish_reason,
       c.prompt_tokens, c.completion_tokens, c.reasoning_tokens, c.cached_tokens, c.seconds, c.mean_logprob,
       b.lane, c.release_id, c.content_hash, c.created_at
FROM synthesis.completion AS c
LEFT JOIN synthesis.batch AS b ON b.batch_id = c.batch_id
WHERE c.run_id = %(run_id)s
ORDER BY c.candidate_id, c.created_at, c.attempt_id
