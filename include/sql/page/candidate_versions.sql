-- Purpose: what was ever answered about a person, newest first, refused answers too. Inputs: candidate_id, rows.
-- Grain: one attempt.
SELECT
  c.fingerprint, c.attempt_id, c.run_id, c.created_at, c.outcome, c.reason, c.method, c.summary, c.skills,
  c.inferred_skills, c.checks, c.removed, c.supported, c.claims, c.is_accepted, c.is_terminal, c.retried_at, c.content_hash, c.finish_reason,
  c.prompt_tokens, c.completion_tokens, c.seconds, c.mean_logprob, c.release_id, r.model, r.engine_profile,
  left(r.prompt_digest, 12) AS prompt, coalesce(n.publishes, true) AS publishes,
  -- Fingerprints do not hold engine and renderer, so releases that differ in these alone are one.
  coalesce((r.prompt_digest, r.schema_digest, r.sampling_digest, r.model, r.model_revision)
    = (a.prompt_digest, a.schema_digest, a.sampling_digest, a.model, a.model_revision), false) AS is_approved
FROM synthesis.completion AS c
LEFT JOIN synthesis.release AS r USING (release_id)
LEFT JOIN synthesis.run AS n USING (run_id)
LEFT JOIN synthesis.release AS a ON a.state = 'approved'
WHERE c.candidate_id = %(candidate_id)s
ORDER BY c.created_at DESC, c.attempt_id DESC
LIMIT %(rows)s
