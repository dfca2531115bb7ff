-- Purpose: replicate changes of identity_row by its key, which it has whenever rows are changed or removed. Known by the
--   whole row, a publication of all tables refused each change: it leaves out the generated column (Postgres 18).
-- Grain: no table. Applied once, in one transaction, by profiles.storage.migrations.
ALTER TABLE synthesis.identity_row REPLICA IDENTITY DEFAULT;
