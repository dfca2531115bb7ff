-- Purpose: where the rows of a person address a reader, which the document leaves out. Inputs: candidate_id.
-- Grain: one source row and field.
SELECT t.source, t.source_key, t.field, t.cuts, t.found_at
FROM synthesis.candidate_source AS s
JOIN synthesis.reader_text AS t USING (source, source_key)
WHERE s.candidate_id = %(candidate_id)s
ORDER BY t.source, t.source_key, t.field
