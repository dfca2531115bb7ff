-- Purpose: accepted pairs between affected rows. Grain: one pair.
SELECT e.lo, e.hi FROM affected AS a JOIN synthesis.identity_edge AS e ON e.lo = a.row_id
