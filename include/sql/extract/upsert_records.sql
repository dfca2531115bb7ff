-- Purpose: store the rows that are new or say something new. Inputs: incoming_record.
-- Grain: one source row. Returns how many were added and how many were replaced.
WITH written AS (
  INSERT INTO synthesis.source_record
    (source, source_key, change_token, extractor_version, observed_at, record_hash, record)
  SELECT %(source)s, i.source_key, i.change_token, %(extractor_version)s,
         i.observed_at::timestamptz, i.record_hash, i.record::json
  FROM incoming_record AS i
  WHERE NOT EXISTS (
    SELECT FROM synthesis.source_record AS r
    WHERE r.source = %(source)s AND r.source_key = i.source_key AND r.record_hash = i.record_hash
  )
  ON CONFLICT (source, source_key) DO UPDATE
  SET change_token = excluded.change_token, extractor_version = excluded.extractor_version,
      observed_at = excluded.observed_at, record_hash = excluded.record_hash,
      record = excluded.record, extracted_at = now()
  RETURNING (xmax = 0) AS is_new
)
SELECT count(*) FILTER (WHERE is_new), count(*) FILTER (WHERE NOT is_new) FROM written
