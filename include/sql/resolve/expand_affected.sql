-- Purpose: one step outwards from the last affected rows: along accepted pairs, to all rows of the
-- candidates they belonged to, and to the rows that a human decision holds together with them. Grain: one identity row.
WITH frontier AS (
  SELECT a.row_id, r.source, r.source_key
  FROM affected AS a
  JOIN synthesis.identity_row AS r USING (row_id)
  WHERE a.step = %(step)s
)
INSERT INTO affected (row_id, step)
SELECT n.row_id, %(step)s + 1
FROM (
  SELECT e.hi AS row_id FROM frontier AS f JOIN synthesis.identity_edge AS e ON e.lo = f.row_id
  UNION
  SELECT e.lo FROM frontier AS f JOIN synthesis.identity_edge AS e ON e.hi = f.row_id
  UNION
  SELECT r.row_id
  FROM frontier AS f
  JOIN synthesis.candidate_source AS c USING (source, source_key)
  JOIN synthesis.candidate_source AS o ON o.candidate_id = c.candidate_id
  JOIN synthesis.identity_row AS r ON r.source = o.source AND r.source_key = o.source_key
  UNION
  SELECT r.row_id
  FROM frontier AS f
  JOIN decided AS d USING (source, source_key)
  JOIN decided AS o USING (class)
  JOIN synthesis.identity_row AS r ON r.source = o.source AND r.source_key = o.source_key
) AS n
ON CONFLICT (row_id) DO NOTHING
