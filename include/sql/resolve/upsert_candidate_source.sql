-- Purpose: who each affected row belongs to; rows whose answer did not change stay untouched.
-- Grain: one source row.
INSERT INTO synthesis.candidate_source AS c (
  source, source_key, candidate_id, own_id, rule, evidence, assigned_run
)
SELECT r.source, r.source_key, a.candidate_id, a.own_id, a.rule, a.evidence, %(run_id)s
FROM assigned AS a
JOIN synthesis.identity_row AS r USING (row_id)
ON CONFLICT (source, source_key) DO UPDATE
SET candidate_id = excluded.candidate_id, own_id = excluded.own_id, rule = excluded.rule,
    evidence = excluded.evidence, assigned_run = excluded.assigned_run, assigned_at = now()
WHERE (c.candidate_id, c.own_id, c.rule, c.evidence)
  IS DISTINCT FROM (excluded.candidate_id, excluded.own_id, excluded.rule, excluded.evidence)
