-- Purpose: store what was read of new rows. Grain: one identity row.
INSERT INTO synthesis.identity_row (row_id, source, source_key, record_hash, resolver_version, name, features)
OVERRIDING SYSTEM VALUE
SELECT i.row_id, i.source, i.source_key, i.record_hash, %(version)s, i.name, i.features
FROM incoming AS i
WHERE NOT EXISTS (SELECT FROM synthesis.identity_row AS r WHERE r.row_id = i.row_id)
