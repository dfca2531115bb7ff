-- Purpose: store what was read of new rows. Grain: one identity row.
-- An anti-join would be planned by what the table held before: a table that was vacuumed while it
-- was empty is read from end to end for each row, and grows meanwhile.
INSERT INTO synthesis.identity_row (row_id, source, source_key, record_hash, resolver_version, name, features)
OVERRIDING SYSTEM VALUE
SELECT i.row_id, i.source, i.source_key, i.record_hash, %(version)s, i.name, i.features
FROM incoming AS i
ON CONFLICT (row_id) DO NOTHING
