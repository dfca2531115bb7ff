-- Purpose: replace the records of known rows that say something new. Inputs: incoming_record.
-- Grain: one source row.
UPDATE synthesis.source_record AS r
SET change_token = i.change_token, extractor_version = %(extractor_version)s,
    observed_at = i.observed_at, record_hash = i.record_hash, record = i.record, extracted_at = now()
FROM incoming_record AS i
WHERE r.source = %(source)s AND r.source_key = i.source_key
