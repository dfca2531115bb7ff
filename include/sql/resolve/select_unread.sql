-- Purpose: the records to read that extract left no facts of. Grain: one source row.
SELECT u.row_id, s.source, s.source_key, s.record_hash, s.record::text
FROM undescribed AS u
JOIN synthesis.source_record AS s USING (source, source_key)
