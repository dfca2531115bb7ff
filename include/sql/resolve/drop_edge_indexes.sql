-- Purpose: take the indexes off the accepted pairs before all of them are written, see drop_key_indexes. Locks the
-- table until the transaction ends. Grain: whole table.
ALTER TABLE synthesis.identity_edge DROP CONSTRAINT identity_edge_pkey;
DROP INDEX synthesis.identity_edge_hi
