-- Purpose: rows that hold a key which became generic or stopped being so are compared again.
-- Grain: one identity row.
INSERT INTO changed (row_id)
SELECT DISTINCT k.row_id
FROM touched_key AS t
LEFT JOIN generic_now AS n USING (kind, value)
LEFT JOIN synthesis.generic_key AS g USING (kind, value)
JOIN synthesis.identity_key AS k USING (kind, value)
WHERE (n.kind IS NULL) <> (g.kind IS NULL)
ON CONFLICT (row_id) DO NOTHING
