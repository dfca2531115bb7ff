-- Purpose: drop the keys of changed and vanished rows. Grain: one key of one row.
DELETE FROM synthesis.identity_key
WHERE row_id IN (SELECT row_id FROM changed UNION ALL SELECT row_id FROM vanished)
