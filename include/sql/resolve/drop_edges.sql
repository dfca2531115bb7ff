-- Purpose: drop the pairs of changed and vanished rows; whoever was joined by one is decided again.
-- Grain: one pair. Fills affected.
WITH stale AS (
  SELECT row_id FROM changed UNION ALL SELECT row_id FROM vanished
), gone AS (
  DELETE FROM synthesis.identity_edge AS e
  WHERE e.lo IN (SELECT row_id FROM stale) OR e.hi IN (SELECT row_id FROM stale)
  RETURNING e.lo, e.hi
)
INSERT INTO affected (row_id, step)
SELECT f.row_id, 0
FROM (
  SELECT lo AS row_id FROM gone UNION SELECT hi FROM gone UNION SELECT row_id FROM changed
) AS f
WHERE NOT EXISTS (SELECT FROM vanished AS v WHERE v.row_id = f.row_id)
