-- Purpose: note that rows were read again and say the same; nothing downstream sees a change.
-- Inputs: incoming_token. Grain: one source row.
UPDATE synthesis.source_record AS r
SET change_token = i.change_token, extractor_version = %(extractor_version)s
FROM incoming_token AS i
WHERE r.source = %(source)s AND r.source_key = i.source_key
