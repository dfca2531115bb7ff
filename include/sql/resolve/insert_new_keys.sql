-- Purpose: store the keys of changed rows. Grain: one key of one row.
INSERT INTO synthesis.identity_key (row_id, kind, value)
SELECT i.row_id, i.kind, i.value
FROM incoming_key AS i
JOIN changed USING (row_id)
