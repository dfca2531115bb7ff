-- Purpose: take the indexes off the identity rows before most of them are written, see drop_key_indexes. Locks the
-- table until the transaction ends. Grain: whole table.
ALTER TABLE synthesis.identity_row
  DROP CONSTRAINT identity_row_pkey, DROP CONSTRAINT identity_row_source_source_key_key
