-- Purpose: the indexes that drop_row_indexes took off, as the migrations made them. Grain: whole table.
ALTER TABLE synthesis.identity_row
  ADD CONSTRAINT identity_row_pkey PRIMARY KEY (row_id),
  ADD CONSTRAINT identity_row_source_source_key_key UNIQUE (source, source_key)
