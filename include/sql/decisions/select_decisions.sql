-- Purpose: human decisions, newest first; all of them, or those that name a row of one candidate.
-- Grain: one decision.
SELECT d.decision_id, d.kind, d.candidate_id, d.other_id, d.decided_by, d.decided_at, d.note,
       d.revoked_by, d.revoked_at, d.applied_at
FROM synthesis.identity_decision AS d
WHERE %(candidate_id)s::bigint IS NULL
   OR EXISTS (
     SELECT
     FROM synthesis.candidate_source AS s
     JOIN synthesis.identity_constraint AS c
       ON (c.left_source, c.left_key) = (s.source, s.source_key)
       OR (c.right_source, c.right_key) = (s.source, s.source_key)
     WHERE s.candidate_id = %(candidate_id)s AND c.decision_id = d.decision_id
   )
ORDER BY d.decision_id DESC
