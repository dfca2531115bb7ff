-- Purpose: of the records read, those that are new or whose identity facts differ from the ones stored.
-- Grain: one identity row.
INSERT INTO changed (row_id)
SELECT i.row_id
FROM incoming AS i
LEFT JOIN synthesis.identity_row AS r USING (row_id)
WHERE r.row_id IS NULL OR r.features <> i.features OR r.resolver_version <> %(version)s
