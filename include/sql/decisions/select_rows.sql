-- Purpose: the rows of a candidate. Grain: one source row.
SELECT source, source_key FROM synthesis.candidate_source
WHERE candidate_id = %(candidate_id)s
ORDER BY source, source_key
