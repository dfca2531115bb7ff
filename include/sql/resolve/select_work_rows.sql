-- Purpose: the rows of each group of work, with their facts and previous candidate. Grain: one row.
SELECT w.grp, w.row_id, r.features, c.candidate_id, c.own_id
FROM work AS w
JOIN synthesis.identity_row AS r USING (row_id)
LEFT JOIN synthesis.candidate_source AS c USING (source, source_key)
ORDER BY w.grp, w.row_id
