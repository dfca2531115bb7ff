-- Purpose: the records that resolution has not read yet, so that nobody knows whose they are.
-- Grain: one source row.
SELECT s.source, s.source_key, s.record::text
FROM synthesis.source_record AS s
LEFT JOIN synthesis.identity_row AS r USING (source, source_key)
WHERE r.record_hash IS DISTINCT FROM s.record_hash
