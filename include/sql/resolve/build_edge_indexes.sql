-- Purpose: the indexes that drop_edge_indexes took off, as the migrations made them. Grain: whole table.
ALTER TABLE synthesis.identity_edge ADD CONSTRAINT identity_edge_pkey PRIMARY KEY (lo, hi);
CREATE INDEX identity_edge_hi ON synthesis.identity_edge (hi)
