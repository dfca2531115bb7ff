-- Purpose: store what was read of rows that are known. Grain: one identity row.
UPDATE synthesis.identity_row AS r
SET record_hash = i.record_hash, resolver_version = %(version)s, name = i.name, features = i.features
FROM incoming AS i
WHERE i.row_id = r.row_id
