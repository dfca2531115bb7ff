-- Purpose: the constraints of all decisions in force. Grain: one pair of source rows.
SELECT c.decision_id, c.relation = 'together', c.left_source, c.left_key, c.right_source, c.right_key
FROM synthesis.identity_constraint AS c
JOIN synthesis.identity_decision AS d USING (decision_id)
WHERE d.revoked_at IS NULL
ORDER BY c.decision_id, c.left_source, c.left_key, c.right_source, c.right_key
