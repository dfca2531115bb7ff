-- Purpose: pairs of rows that share a key which is not generic, at least one of them changed. Rows that share no more
-- than a name and an employer are a pair where the words of one's titles there are among the other's and nothing says
-- that they began more than near_months apart, or where they began within same_months: namesakes at a large employer
-- are left out here, before their facts are read. Grain: one pair, lo < hi.
INSERT INTO pair (lo, hi)
SELECT DISTINCT least(m.row_id, o.row_id), greatest(m.row_id, o.row_id)
FROM changed AS c
JOIN synthesis.identity_key AS m USING (row_id)
JOIN synthesis.identity_key AS o
  ON o.kind = m.kind AND o.value = m.value
  -- Where every row changed, a pair is found from its smaller row alone.
  AND (m.row_id < o.row_id OR NOT %(all_changed)s AND m.row_id <> o.row_id)
LEFT JOIN changed AS co ON co.row_id = o.row_id
WHERE (co.row_id IS NULL OR m.row_id < o.row_id)
  AND CASE
    WHEN m.title_words IS NULL OR o.title_words IS NULL THEN true
    WHEN m.title_words & o.title_words IN (m.title_words, o.title_words) THEN (
      m.first_start <= o.last_start + %(near_months)s AND o.first_start <= m.last_start + %(near_months)s
    ) IS NOT FALSE
    ELSE abs(m.first_start - o.first_start) <= %(same_months)s OR abs(m.last_start - o.last_start) <= %(same_months)s
  END
  AND NOT EXISTS (
    SELECT FROM synthesis.generic_key AS g WHERE g.kind = m.kind AND g.value = m.value
  )
