-- Purpose: every row that the pipeline keeps something of, with its record where it was readable. Grain: one source row.
SELECT source, source_key, r.record::text
FROM (
  SELECT source, source_key FROM synthesis.source_record
  UNION SELECT source, source_key FROM synthesis.rejected_row
  UNION SELECT source, source_key FROM synthesis.candidate_source
) AS known
LEFT JOIN synthesis.source_record AS r USING (source, source_key)
