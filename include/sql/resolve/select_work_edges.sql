-- Purpose: the accepted pairs of each group of work. Grain: one pair.
SELECT w.grp, e.lo, e.hi, e.score, e.signals::text
FROM work AS w
JOIN synthesis.identity_edge AS e ON e.lo = w.row_id
ORDER BY w.grp
