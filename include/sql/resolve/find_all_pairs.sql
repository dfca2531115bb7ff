-- Purpose: what find_pairs finds on a night that changed every row. It reads no working table, so that the server
-- may join on several cores. Grain: one pair, lo < hi.
CREATE TEMP TABLE pair ON COMMIT DROP AS
SELECT DISTINCT m.row_id AS lo, o.row_id AS hi
FROM synthesis.identity_key AS m
JOIN synthesis.identity_key AS o ON o.kind = m.kind AND o.value = m.value AND m.row_id < o.row_id
WHERE {share_a_job}
  AND (m.kind, m.value) NOT IN (SELECT g.kind, g.value FROM synthesis.generic_key AS g)
