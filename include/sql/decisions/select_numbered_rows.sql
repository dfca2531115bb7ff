-- Purpose: the rows of a candidate with the numbers that name them without saying whose they are.
-- Grain: one source row that resolution has read.
SELECT i.row_id, s.source, s.source_key
FROM synthesis.candidate_source AS s
JOIN synthesis.identity_row AS i USING (source, source_key)
WHERE s.candidate_id = %(candidate_id)s
