-- Purpose: the identity keys of rows, and why a key links nobody now. Grain: one key of one row.
SELECT k.row_id, k.kind, k.value, g.reason
FROM synthesis.identity_key AS k
LEFT JOIN synthesis.generic_key AS g USING (kind, value)
WHERE k.row_id = ANY (%(row_ids)s)
ORDER BY k.row_id, k.kind, k.value
