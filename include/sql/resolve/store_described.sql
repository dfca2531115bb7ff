-- Purpose: on a night of mostly new rows, store the facts that extract derived of them where they are kept, without a
-- working table between. Grain: one source row. Fills changed, in the order of its key.
WITH stored AS (
  INSERT INTO synthesis.identity_row (row_id, source, source_key, record_hash, resolver_version, name, features)
  OVERRIDING SYSTEM VALUE
  SELECT u.row_id, u.source, u.source_key, u.record_hash, %(version)s, d.name, d.features
  FROM unread AS u
  JOIN synthesis.described_row AS d USING (source, source_key, record_hash)
  WHERE d.resolver_version = %(version)s AND u.is_new
  RETURNING row_id
)
INSERT INTO changed (row_id) SELECT row_id FROM stored ORDER BY row_id
