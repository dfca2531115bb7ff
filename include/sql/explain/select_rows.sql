-- Purpose: the source rows of a candidate with what resolution knows of them. Grain: one source row.
SELECT s.source, s.source_key, r.observed_at, r.extracted_at, s.assigned_at, s.rule, s.own_id,
       i.row_id, i.features
FROM synthesis.candidate_source AS s
LEFT JOIN synthesis.source_record AS r USING (source, source_key)
LEFT JOIN synthesis.identity_row AS i USING (source, source_key)
WHERE s.candidate_id = %(candidate_id)s
ORDER BY s.source, s.source_key
