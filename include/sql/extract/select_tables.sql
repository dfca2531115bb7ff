-- Purpose: the names that a message about a missing table may suggest. Grain: one table or view.
SELECT n.nspname || '.' || c.relname
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'synthesis')
  AND n.nspname NOT LIKE 'pg\_%%'
ORDER BY 1
