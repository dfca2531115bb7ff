-- Purpose: like find_crowded, on a night that changes most rows: every key that has enough holders to be generic.
-- Grain: one key.
INSERT INTO touched_key (kind, value)
SELECT k.kind, k.value
FROM synthesis.identity_key AS k
GROUP BY k.kind, k.value
HAVING count(*) > CASE WHEN k.kind = ANY (%(weak_kinds)s) THEN %(max_block_rows)s ELSE %(max_names)s END
ON CONFLICT DO NOTHING
