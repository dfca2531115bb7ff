-- Purpose: the indexes that drop_key_indexes took off, as the migration made them.
-- Grain: whole table.
ALTER TABLE synthesis.identity_key ADD PRIMARY KEY (row_id, kind, value);
CREATE INDEX identity_key_value ON synthesis.identity_key (kind, value)
