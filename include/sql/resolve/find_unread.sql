-- Purpose: the records that resolution has not seen in this version. New ones get their row_id here, in the order of
-- their keys, so that it does not depend on how they lie in the table; the name of the sequence is looked up once.
-- Grain: one source row.
INSERT INTO unread (row_id, source, source_key, record_hash, is_new)
SELECT coalesce(known.row_id, nextval((SELECT pg_get_serial_sequence('synthesis.identity_row', 'row_id'))::regclass)),
       known.source, known.source_key, known.record_hash, known.row_id IS NULL
FROM (
  SELECT s.source, s.source_key, s.record_hash, r.row_id
  FROM synthesis.source_record AS s
  LEFT JOIN synthesis.identity_row AS r USING (source, source_key)
  WHERE r.row_id IS NULL OR r.record_hash <> s.record_hash OR r.resolver_version <> %(version)s
  ORDER BY s.source, s.source_key
) AS known
