-- Purpose: rows that a new or revoked decision names are decided again. Grain: one identity row.
INSERT INTO affected (row_id, step)
SELECT r.row_id, 0
FROM (
  SELECT c.left_source AS source, c.left_key AS source_key
  FROM decided_anew JOIN synthesis.identity_constraint AS c USING (decision_id)
  UNION
  SELECT c.right_source, c.right_key
  FROM decided_anew JOIN synthesis.identity_constraint AS c USING (decision_id)
) AS named
JOIN synthesis.identity_row AS r USING (source, source_key)
ON CONFLICT (row_id) DO NOTHING
