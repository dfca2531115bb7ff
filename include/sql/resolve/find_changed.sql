-- Purpose: of the records read, those whose identity facts differ from the ones stored.
-- Grain: one identity row.
INSERT INTO changed (row_id)
SELECT i.row_id
FROM incoming AS i
JOIN synthesis.identity_row AS r USING (row_id)
WHERE r.features <> i.features OR r.resolver_version <> %(version)s
