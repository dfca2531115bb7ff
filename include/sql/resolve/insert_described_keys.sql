-- Purpose: store the keys of the rows that store_described stored. Holders of one key then lie beside each other:
-- indexes are built, and pairs found, in one pass over the table. Grain: one key of one row.
INSERT INTO synthesis.identity_key (row_id, kind, value, title_words, first_start, last_start)
SELECT row_id, kind, value, title_words, first_start, last_start FROM described_key
