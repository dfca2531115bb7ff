-- Purpose: rows of other candidates that share a key which links. Grain: one pair of rows.
SELECT DISTINCT m.row_id, r.source, r.source_key, s.candidate_id, r.features
FROM synthesis.identity_key AS m
JOIN synthesis.identity_key AS o
  ON o.kind = m.kind AND o.value = m.value AND o.row_id <> ALL (%(row_ids)s)
JOIN synthesis.identity_row AS r ON r.row_id = o.row_id
JOIN synthesis.candidate_source AS s ON s.source = r.source AND s.source_key = r.source_key
WHERE m.row_id = ANY (%(row_ids)s)
  AND NOT EXISTS (
    SELECT FROM synthesis.generic_key AS g WHERE g.kind = m.kind AND g.value = m.value
  )
ORDER BY m.row_id, r.source, r.source_key
LIMIT %(limit)s
