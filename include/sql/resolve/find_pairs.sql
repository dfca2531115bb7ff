-- Purpose: pairs of rows that share a key which is not generic, at least one of them changed. Rows that share no more
-- than a name and an employer are a pair where the words of one's titles there are among the other's and nothing says
-- that they began more than near_months apart, or where they began within same_months: namesakes at a large employer
-- are left out here, before their facts are read. Grain: one pair, lo < hi.
CREATE TEMP TABLE pair ON COMMIT DROP AS
SELECT DISTINCT least(m.row_id, o.row_id) AS lo, greatest(m.row_id, o.row_id) AS hi
FROM changed AS c
JOIN synthesis.identity_key AS m USING (row_id)
JOIN synthesis.identity_key AS o ON o.kind = m.kind AND o.value = m.value AND m.row_id <> o.row_id
LEFT JOIN changed AS co ON co.row_id = o.row_id
WHERE (co.row_id IS NULL OR m.row_id < o.row_id)
  AND {share_a_job}
  AND NOT EXISTS (
    SELECT FROM synthesis.generic_key AS g WHERE g.kind = m.kind AND g.value = m.value
  )
