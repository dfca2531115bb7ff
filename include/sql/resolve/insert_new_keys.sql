-- Purpose: store the keys of changed rows, in the order of their values as insert_described_keys does.
-- Grain: one key of one row.
INSERT INTO synthesis.identity_key (row_id, kind, value, title_words, first_start, last_start)
SELECT i.row_id, i.kind, i.value, i.title_words, i.first_start, i.last_start
FROM incoming_key AS i
JOIN changed USING (row_id)
ORDER BY i.value, i.kind
