-- Purpose: the accepted pairs between rows, strongest first. Grain: one pair.
SELECT e.lo, e.hi, e.score, e.signals::text
FROM synthesis.identity_edge AS e
WHERE e.lo = ANY (%(row_ids)s) AND e.hi = ANY (%(row_ids)s)
ORDER BY e.score DESC, e.lo, e.hi
