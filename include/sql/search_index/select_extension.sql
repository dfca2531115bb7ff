-- Purpose: whether an extension is installed in this database, and in which schema, or could be. Inputs: name.
-- Grain: one row.
SELECT
  (SELECT n.nspname FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace
   WHERE e.extname = %(name)s) AS schema_name,
  EXISTS (SELECT FROM pg_available_extensions WHERE name = %(name)s) AS is_available
