-- Purpose: the pairs to compare, with the identity facts of both rows. Grain: one pair.
SELECT p.lo, p.hi, a.features, b.features
FROM pair AS p
JOIN synthesis.identity_row AS a ON a.row_id = p.lo
JOIN synthesis.identity_row AS b ON b.row_id = p.hi
