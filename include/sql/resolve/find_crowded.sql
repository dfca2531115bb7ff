-- Purpose: keys of changed rows that have enough holders to be generic. Grain: one key.
INSERT INTO touched_key (kind, value)
SELECT k.kind, k.value
FROM (SELECT DISTINCT i.kind, i.value FROM incoming_key AS i JOIN changed USING (row_id)) AS mine
JOIN synthesis.identity_key AS k USING (kind, value)
GROUP BY k.kind, k.value
HAVING count(*) > CASE WHEN k.kind = ANY (%(weak_kinds)s) THEN %(max_block_rows)s ELSE %(max_names)s END
ON CONFLICT DO NOTHING
