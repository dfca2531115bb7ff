-- Purpose: what people decided about a person's id, newest first. Inputs: candidate_id. Grain: one decision.
SELECT decision_id, kind, candidate_id, other_id, decided_by, decided_at, note, revoked_by, revoked_at, applied_at
FROM synthesis.identity_decision
WHERE candidate_id = %(candidate_id)s OR other_id = %(candidate_id)s
ORDER BY decision_id DESC
