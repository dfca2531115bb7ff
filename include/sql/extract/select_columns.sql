-- Purpose: what the catalog knows of a source table. Inputs: pg_catalog; without a schema the search
-- path decides. Grain: one column, with the table's kind and whether the key column is unique.
SELECT a.attname,
       format_type(a.atttypid, a.atttypmod),
       c.relkind::text,
       EXISTS (
         SELECT FROM pg_index AS i
         JOIN pg_attribute AS k ON k.attrelid = c.oid AND k.attname = %(key)s
         WHERE i.indrelid = c.oid AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
           AND i.indnkeyatts = 1 AND i.indkey[0] = k.attnum AND k.attnotnull
       )
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_attribute AS a ON a.attrelid = c.oid
WHERE c.relname = %(table)s
  AND CASE WHEN %(schema)s::text IS NULL THEN pg_table_is_visible(c.oid) ELSE n.nspname = %(schema)s END
  AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum
