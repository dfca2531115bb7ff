-- Purpose: let a publication of all tables (change data capture, blue/green upgrades) replicate updates and deletes of every
--   table: those without a primary key, and those that resolve writes without one on a first night, are known by the whole row.
-- Grain: no table. Applied once, in one transaction, by profiles.storage.migrations.
ALTER TABLE synthesis.identity_key REPLICA IDENTITY FULL;
ALTER TABLE synthesis.identity_row REPLICA IDENTITY FULL;
ALTER TABLE synthesis.identity_edge REPLICA IDENTITY FULL;
ALTER TABLE synthesis.candidate_source REPLICA IDENTITY FULL;
ALTER TABLE synthesis.untagged REPLICA IDENTITY FULL;
ALTER TABLE synthesis.tagged_by REPLICA IDENTITY FULL;
