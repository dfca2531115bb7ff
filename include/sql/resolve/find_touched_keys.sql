-- Purpose: every key that a changed or vanished row holds or held. Grain: one key.
INSERT INTO touched_key (kind, value)
SELECT k.kind, k.value
FROM synthesis.identity_key AS k
WHERE k.row_id IN (SELECT row_id FROM changed UNION ALL SELECT row_id FROM vanished)
UNION
SELECT i.kind, i.value
FROM incoming_key AS i
JOIN changed USING (row_id)
