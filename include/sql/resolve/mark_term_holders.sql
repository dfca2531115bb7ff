-- Purpose: rows that hold a term whose frequency took a step are compared again, all of them when their number did.
-- Grain: one identity row.
WITH stepped AS (
  SELECT term
  FROM term_now AS n
  FULL JOIN synthesis.term_frequency AS f USING (term)
  WHERE n.frequency IS DISTINCT FROM f.frequency
)
INSERT INTO changed (row_id)
SELECT row_id
FROM synthesis.identity_row
WHERE EXISTS (SELECT FROM stepped WHERE term = '') OR terms && ARRAY(SELECT term FROM stepped)
ON CONFLICT (row_id) DO NOTHING
