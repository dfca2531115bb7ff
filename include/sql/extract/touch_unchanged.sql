-- Purpose: note that rows were read again and say the same; nothing downstream sees a change.
-- Inputs: incoming_record. Grain: one source row.
UPDATE synthesis.source_record AS r
SET change_token = i.change_token, extractor_version = %(extractor_version)s
FROM incoming_record AS i
WHERE r.source = %(source)s AND r.source_key = i.source_key AND r.record_hash = i.record_hash
