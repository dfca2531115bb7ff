-- Purpose: the accepted pairs whose smaller row is among the given ones. Grain: one pair.
SELECT lo, hi, score, signals::text FROM synthesis.identity_edge WHERE lo = ANY (%(row_ids)s::bigint[])
