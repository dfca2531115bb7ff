-- Purpose: records that resolution has not seen in this version. Grain: one source row.
SELECT r.row_id, s.source, s.source_key, s.record_hash, s.record::text
FROM synthesis.source_record AS s
JOIN synthesis.identity_row AS r USING (source, source_key)
WHERE r.record_hash <> s.record_hash OR r.resolver_version <> %(version)s
