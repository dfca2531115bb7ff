-- Purpose: what the catalog knows of a source table. Inputs: pg_catalog; without a schema the search
-- path decides. Grain: one column, with the table's kind whether the key column is unique, and what
-- this login may read of it.
SELECT a.attname,
       CASE WHEN y.typtype = 'd' THEN format_type(y.typbasetype, y.typtypmod)
            ELSE format_type(a.atttypid, a.atttypmod) END,
       c.relkind::text,
       EXISTS (
         SELECT FROM pg_index AS i
         JOIN pg_attribute AS k ON k.attrelid = c.oid AND k.attname = %(key)s
         WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
           AND i.indnkeyatts = 1 AND i.indkey[0] = k.attnum AND k.attnotnull
       ),
       has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(c.oid, a.attnum, 'SELECT'),
       has_table_privilege(c.oid, 'SELECT'),
       row_security_active(c.oid)
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_attribute AS a ON a.attrelid = c.oid
JOIN pg_type AS y ON y.oid = a.atttypid
WHERE c.relname = %(table)s
  AND CASE WHEN %(schema)s::text IS NULL THEN pg_table_is_visible(c.oid) ELSE n.nspname = %(schema)s END
  AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
