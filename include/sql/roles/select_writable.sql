-- Purpose: what this session may write of everything that is not the system's. Grain: one table.
SELECT c.oid::regclass::text AS name, n.nspname = 'synthesis' AS is_ours,
       has_schema_privilege(n.oid, 'USAGE') AND CASE WHEN n.nspname = 'synthesis'
         THEN has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
         ELSE has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') END AS may_write
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
ORDER BY 1
