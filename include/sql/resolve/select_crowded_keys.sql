-- Purpose: touched keys that may be generic: many rows, or three or more spellings of names.
-- Names are cut at 200 in sorted order: enough to find three people. Grain: one key.
SELECT k.kind, k.value, count(*) AS holders, (array_agg(DISTINCT r.name))[1:200] AS names
FROM touched_key AS t
JOIN synthesis.identity_key AS k USING (kind, value)
JOIN synthesis.identity_row AS r USING (row_id)
WHERE k.kind <> ALL (%(weak_kinds)s)
GROUP BY k.kind, k.value
HAVING count(*) > 2 AND (count(DISTINCT r.name) > %(max_names)s OR count(*) > %(max_rows)s)
UNION ALL
SELECT k.kind, k.value, count(*), ARRAY[]::text[]
FROM touched_key AS t
JOIN synthesis.identity_key AS k USING (kind, value)
WHERE k.kind = ANY (%(weak_kinds)s)
GROUP BY k.kind, k.value
HAVING count(*) > %(max_block_rows)s
