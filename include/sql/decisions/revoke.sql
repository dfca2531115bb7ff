-- Purpose: take a decision back; the next resolve applies that. Grain: one decision.
UPDATE synthesis.identity_decision
SET revoked_at = now(), revoked_by = %(revoked_by)s, applied_at = NULL
WHERE decision_id = %(decision_id)s AND revoked_at IS NULL
