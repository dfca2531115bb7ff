-- Purpose: pairs of rows that share a key which is not generic, at least one of them changed.
-- Grain: one pair, lo < hi.
INSERT INTO pair (lo, hi)
SELECT DISTINCT least(m.row_id, o.row_id), greatest(m.row_id, o.row_id)
FROM changed AS c
JOIN synthesis.identity_key AS m USING (row_id)
JOIN synthesis.identity_key AS o ON o.kind = m.kind AND o.value = m.value AND o.row_id <> m.row_id
LEFT JOIN changed AS co ON co.row_id = o.row_id
WHERE (co.row_id IS NULL OR m.row_id < o.row_id)
  AND NOT EXISTS (
    SELECT FROM synthesis.generic_key AS g WHERE g.kind = m.kind AND g.value = m.value
  )
