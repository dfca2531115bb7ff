-- Purpose: rows of other candidates that share a key which links, with the accepted pair if there is one, and whether
-- the join of resolve makes a pair of them at all. Accepted pairs first, then those that were compared, so that a limit
-- leaves out what says least. Grain: one pair of rows; pairs is how many there are without the limit.
SELECT n.mine, r.source, r.source_key, s.candidate_id, r.features, n.is_made, e.score, e.signals::text,
       count(*) OVER () AS pairs
FROM (
  SELECT m.row_id AS mine, o.row_id AS other, coalesce(bool_or({share_a_job}), false) AS is_made
  FROM synthesis.identity_key AS m
  JOIN synthesis.identity_key AS o
    ON o.kind = m.kind AND o.value = m.value AND o.row_id <> ALL (%(row_ids)s)
  WHERE m.row_id = ANY (%(row_ids)s)
    AND NOT EXISTS (
      SELECT FROM synthesis.generic_key AS g WHERE g.kind = m.kind AND g.value = m.value
    )
  GROUP BY m.row_id, o.row_id
) AS n
JOIN synthesis.identity_row AS r ON r.row_id = n.other
JOIN synthesis.candidate_source AS s ON s.source = r.source AND s.source_key = r.source_key
LEFT JOIN synthesis.identity_edge AS e
  ON e.lo = least(n.mine, n.other) AND e.hi = greatest(n.mine, n.other)
ORDER BY (e.score IS NOT NULL) DESC, n.is_made DESC, e.score DESC, n.mine, r.source, r.source_key
LIMIT %(limit)s
