-- Purpose: rows that resolution knows and the sources no longer have. Grain: one identity row.
INSERT INTO vanished (row_id)
SELECT r.row_id
FROM synthesis.identity_row AS r
WHERE NOT EXISTS (
  SELECT FROM synthesis.source_record AS s
  WHERE s.source = r.source AND s.source_key = r.source_key
)
