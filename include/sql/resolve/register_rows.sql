-- Purpose: give every new source row a row_id. Input: source_record. Grain: one source row.
INSERT INTO synthesis.identity_row (source, source_key, record_hash, resolver_version, features)
SELECT s.source, s.source_key, '', '', ''
FROM synthesis.source_record AS s
WHERE NOT EXISTS (
  SELECT FROM synthesis.identity_row AS r
  WHERE r.source = s.source AND r.source_key = s.source_key
)
ORDER BY s.source, s.source_key
