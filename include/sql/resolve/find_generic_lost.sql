-- Purpose: quarantined keys that a changed or vanished row held. A key that only loses holders cannot become generic,
-- so no other needs a look on their account. Runs before their keys are dropped. Grain: one key.
INSERT INTO touched_key (kind, value)
SELECT DISTINCT k.kind, k.value
FROM synthesis.identity_key AS k
JOIN synthesis.generic_key AS g USING (kind, value)
WHERE k.row_id IN (SELECT row_id FROM changed UNION ALL SELECT row_id FROM vanished)
