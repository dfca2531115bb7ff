-- Purpose: keep the rows that could not be read, with the reason. Inputs: incoming_rejection.
-- Grain: one source row.
INSERT INTO synthesis.rejected_row
  (source, source_key, change_token, extractor_version, reason, detail, run_id)
SELECT %(source)s, i.source_key, i.change_token, %(extractor_version)s, i.reason, i.detail,
       %(run_id)s
FROM incoming_rejection AS i
ON CONFLICT (source, source_key) DO UPDATE
SET change_token = excluded.change_token, extractor_version = excluded.extractor_version,
    reason = excluded.reason, detail = excluded.detail, run_id = excluded.run_id,
    rejected_at = now()
