-- Purpose: the decisions made or revoked since the last resolve; this one applies them.
-- Grain: one decision. Fills decided_anew.
WITH claimed AS (
  UPDATE synthesis.identity_decision SET applied_at = now() WHERE applied_at IS NULL
  RETURNING decision_id
)
INSERT INTO decided_anew (decision_id) SELECT decision_id FROM claimed
