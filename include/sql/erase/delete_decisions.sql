-- Purpose: forget the decisions that are about nobody else. Grain: one decision.
WITH mine AS (
  SELECT decision_id FROM synthesis.identity_decision
  WHERE candidate_id IN (SELECT candidate_id FROM erased_candidate)
     OR other_id IN (SELECT candidate_id FROM erased_candidate)
), unbound AS (
  DELETE FROM synthesis.identity_constraint WHERE decision_id IN (SELECT decision_id FROM mine)
)
DELETE FROM synthesis.identity_decision WHERE decision_id IN (SELECT decision_id FROM mine)
