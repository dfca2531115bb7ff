-- Purpose: affected rows with the candidate each had, null for a new row, and the id of its own that a row had before
-- a merge. Grain: one identity row.
SELECT a.row_id, c.candidate_id, c.own_id
FROM affected AS a
JOIN synthesis.identity_row AS r USING (row_id)
LEFT JOIN synthesis.candidate_source AS c USING (source, source_key)
