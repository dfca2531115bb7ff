-- Purpose: who each affected row belongs to; rows whose answer did not change stay untouched.
-- Grain: one source row.
INSERT INTO synthesis.candidate_source AS c (
  source, source_key, candidate_id, own_id, rule, evidence, assigned_run
)
SELECT source, source_key, candidate_id, own_id, rule, evidence, %(run_id)s
FROM assigned
ON CONFLICT (source, source_key) DO UPDATE
SET candidate_id = excluded.candidate_id, own_id = excluded.own_id, rule = excluded.rule,
    evidence = excluded.evidence, assigned_run = excluded.assigned_run, assigned_at = now()
WHERE (c.candidate_id, c.own_id, c.rule, c.evidence)
  IS DISTINCT FROM (excluded.candidate_id, excluded.own_id, excluded.rule, excluded.evidence)
