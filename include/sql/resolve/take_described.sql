-- Purpose: the facts that extract derived of the records to read, where they are of the record as it is now.
-- Grain: one source row. Fills incoming.
INSERT INTO incoming (row_id, source, source_key, record_hash, name, features)
SELECT u.row_id, u.source, u.source_key, u.record_hash, d.name, d.features
FROM unread AS u
JOIN synthesis.described_row AS d USING (source, source_key, record_hash)
WHERE d.resolver_version = %(version)s
  AND NOT EXISTS (SELECT FROM changed AS c WHERE c.row_id = u.row_id)
