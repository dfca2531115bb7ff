-- Purpose: take the indexes off the identity keys before most of them are written. Inserting keys
-- one by one into two indexes larger than memory costs more the more there are; sorting does not.
-- Grain: whole table. The transaction locks it; build_key_indexes puts the indexes back.
DROP INDEX synthesis.identity_key_row, synthesis.identity_key_value
