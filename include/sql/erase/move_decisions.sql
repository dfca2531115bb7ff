-- Purpose: a decision that still holds rows of others together or apart is theirs now; its note may tell of the
-- person. Grain: one decision.
UPDATE synthesis.identity_decision AS d
SET candidate_id = kept.candidate_id, other_id = NULL, note = ''
FROM (
  SELECT c.decision_id, min(s.candidate_id) AS candidate_id
  FROM synthesis.identity_constraint AS c
  JOIN synthesis.candidate_source AS s ON s.source = c.left_source AND s.source_key = c.left_key
  GROUP BY c.decision_id
) AS kept
WHERE kept.decision_id = d.decision_id
  AND (d.candidate_id IN (SELECT candidate_id FROM erased_candidate)
       OR d.other_id IN (SELECT candidate_id FROM erased_candidate))
