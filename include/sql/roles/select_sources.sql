-- Purpose: how this session and the pipeline's role stand to the source tables. Inputs: tables, as schema.name.
-- Grain: one table that exists.
SELECT
  c.oid::regclass::text AS name,
  n.nspname,
  c.relname,
  pg_has_role(c.relowner, 'USAGE') AS is_owner,
  has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') AS may_write,
  pg_has_role(c.relowner, 'USAGE')
    OR (has_table_privilege(c.oid, 'SELECT WITH GRANT OPTION')
        AND has_schema_privilege(n.oid, 'USAGE WITH GRANT OPTION')) AS may_grant
FROM unnest(%(tables)s::text[]) AS wanted
JOIN pg_class AS c ON c.oid = to_regclass(wanted)
JOIN pg_namespace AS n ON n.oid = c.relnamespace
ORDER BY 1
