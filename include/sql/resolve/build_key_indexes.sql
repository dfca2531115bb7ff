-- Purpose: the indexes that drop_key_indexes took off, as the migrations made them.
-- Grain: whole table.
CREATE INDEX identity_key_row ON synthesis.identity_key (row_id);
CREATE INDEX identity_key_value ON synthesis.identity_key (value, kind)
