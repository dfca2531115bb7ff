-- name: count_gone
-- Purpose: how many rows known from earlier runs have left the source table.
-- Inputs: source_record, rejected_row but for keys that are stored shortened, the source table. Grain: one row.
WITH known AS (
  SELECT source_key FROM synthesis.source_record WHERE source = %(source)s
  UNION
  SELECT source_key FROM synthesis.rejected_row
  WHERE source = %(source)s AND reason <> 'key_too_long'
)
SELECT (SELECT count(*) FROM known),
       (SELECT count(*)
        FROM known
        WHERE NOT EXISTS (SELECT FROM {table} AS t WHERE {key}::text = known.source_key))

-- name: count_keys
-- Purpose: the size of a source table and how many different keys it has. Grain: one row.
SELECT count(*), count(DISTINCT {key}::text)
FROM {table} AS t

-- name: count_rows
-- Purpose: the size of a source table whose key is unique, so that it has as many keys. Grain: one row.
SELECT count(*), count({key})
FROM {table} AS t

-- name: count_to_read
-- Purpose: what tells how many tasks are to read a source table: its size, and how many of its rows are known by today's
-- reading rules. Inputs: the source table, source_record. Grain: one row.
SELECT (SELECT count({key}) FROM {table} AS t),
       (SELECT count(*)
        FROM synthesis.source_record
        WHERE source = %(source)s AND extractor_version = %(extractor_version)s)

-- name: create_incoming
-- Purpose: the landing table of the changed records of one batch of an extract; a pooler may give the next transaction to another session. Grain: one source row.
-- New rows need none. Records lie here uncompressed, because the table that keeps them compresses, if at all.
CREATE TEMP TABLE incoming_record (
  source_key   text NOT NULL,
  change_token text NOT NULL,
  observed_at  timestamptz,
  record_hash  text NOT NULL,
  record       json NOT NULL
) ON COMMIT DROP;
ALTER TABLE incoming_record ALTER COLUMN record SET STORAGE EXTERNAL

-- name: delete_emptied
-- Purpose: forget the record of a row that says nothing any more. A row that could not be read keeps
-- the record from before: an unreadable row is no deleted person. Inputs: their keys.
-- Grain: one source row.
DELETE FROM synthesis.source_record
WHERE source = %(source)s AND source_key = ANY (%(source_keys)s)

-- name: delete_gone
-- Purpose: forget the rows that have left the source table; identity is resolution's to fix.
-- Inputs: source_record, rejected_row, the source table. Grain: one source row. Returns their number.
WITH gone AS MATERIALIZED (
  SELECT known.source_key
  FROM (
    SELECT source_key FROM synthesis.source_record WHERE source = %(source)s
    UNION
    SELECT source_key FROM synthesis.rejected_row
    WHERE source = %(source)s AND reason <> 'key_too_long'
  ) AS known
  WHERE NOT EXISTS (SELECT FROM {table} AS t WHERE {key}::text = known.source_key)
), records AS (
  DELETE FROM synthesis.source_record AS r
  USING gone WHERE r.source = %(source)s AND r.source_key = gone.source_key
), rejections AS (
  DELETE FROM synthesis.rejected_row AS x
  USING gone WHERE x.source = %(source)s AND x.source_key = gone.source_key
), addressed AS (
  DELETE FROM synthesis.reader_text AS x
  USING gone WHERE x.source = %(source)s AND x.source_key = gone.source_key
)
SELECT count(*) FROM gone

-- name: forget_long_keys
-- Purpose: drop the rejections of rows with too long a key that this run has not met. Grain: one source row.
DELETE FROM synthesis.rejected_row
WHERE source = %(source)s AND reason = 'key_too_long' AND run_id <> %(run_id)s

-- name: forgive_rejections
-- Purpose: drop the rejections of rows that can be read now. Inputs: their keys.
-- Grain: one source row.
DELETE FROM synthesis.rejected_row
WHERE source = %(source)s AND source_key = ANY (%(source_keys)s)

-- name: select_changed
-- Purpose: the rows of a source table that are new, changed, or were read by other rules.
-- Inputs: the source table; part, one of `of` parts of about equally many rows by a hash of their keys; source_record,
-- rejected_row. Grain: one source row, with the hash of the record that is stored of it.
-- A row that can't be read any more has both a rejection and the record from before; the rejection
-- is the newer of the two.
SELECT {key}::text, {token}, r.record_hash, {columns}
FROM {rows} AS t
LEFT JOIN synthesis.source_record AS r ON r.source = %(source)s AND r.source_key = {key}::text
LEFT JOIN synthesis.rejected_row AS x ON x.source = %(source)s AND x.source_key = {key}::text
WHERE {key} IS NOT NULL
  AND (%(of)s = 1 OR (hashtext({key}::text) & 2147483647) %% %(of)s = %(part)s)
  AND (
    coalesce(x.change_token, r.change_token) IS DISTINCT FROM {token}
    OR coalesce(x.extractor_version, r.extractor_version) IS DISTINCT FROM %(extractor_version)s
  )

-- name: select_columns
-- Purpose: what the catalog knows of a source table. Inputs: pg_catalog; without a schema the search
-- path decides. Grain: one column, with the table's kind, whether the column is unique, which an index of a table with
-- heirs does not say of theirs, what this login may read of it, and whether a materialized view was filled.
SELECT a.attname,
       CASE WHEN y.typtype = 'c' THEN 'row'
            WHEN y.typname = 'hstore' THEN 'hstore'
            ELSE format_type(y.oid, NULL) END,
       CASE WHEN EXISTS (SELECT FROM pg_partition_tree(c.oid) AS part
                         JOIN pg_class AS p ON p.oid = part.relid AND p.relkind = 'f')
            THEN 'f' ELSE c.relkind::text END,
       EXISTS (
         SELECT FROM pg_index AS i
         WHERE i.indrelid = c.oid AND (c.relkind = 'p' OR NOT c.relhassubclass) AND i.indisunique AND i.indisvalid AND i.indpred IS NULL
           AND i.indnkeyatts = 1 AND i.indkey[0] = a.attnum AND a.attnotnull
       ),
       has_schema_privilege(n.oid, 'USAGE') AND has_column_privilege(c.oid, a.attnum, 'SELECT'),
       has_table_privilege(c.oid, 'SELECT'),
       row_security_active(c.oid),
       c.relispopulated
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_attribute AS a ON a.attrelid = c.oid
CROSS JOIN LATERAL (
  WITH RECURSIVE below AS (
    SELECT oid, typname, typtype, typbasetype FROM pg_type WHERE oid = a.atttypid
    UNION ALL
    SELECT y.oid, y.typname, y.typtype, y.typbasetype
    FROM below JOIN pg_type AS y ON y.oid = below.typbasetype
    WHERE below.typtype = 'd'
  )
  SELECT * FROM below WHERE typtype <> 'd'
) AS y
WHERE c.relname = %(table)s
  AND CASE WHEN %(schema)s::text IS NULL THEN pg_table_is_visible(c.oid) ELSE n.nspname = %(schema)s END
  AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY a.attnum

-- name: select_sample
-- Purpose: a few rows that tell whether the paths of a mapping lead to anything. The first ones, because a random
-- sample of a big table reads pages from all over it. Inputs: the source table. Grain: one source row.
SELECT {columns}
FROM {rows} AS t
WHERE {key} IS NOT NULL
LIMIT %(limit)s

-- name: select_tables
-- Purpose: the names that a message about a missing table may suggest. Grain: one table or view.
SELECT n.nspname || '.' || c.relname
FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'synthesis')
  AND n.nspname NOT LIKE 'pg\_%%'
ORDER BY 1

-- name: touch_unchanged
-- Purpose: note that rows were read again and say the same; nothing downstream sees a change.
-- Inputs: their keys and tokens. Grain: one source row.
UPDATE synthesis.source_record AS r
SET change_token = i.change_token, extractor_version = %(extractor_version)s
FROM unnest(%(source_keys)s::text[], %(tokens)s::text[]) AS i (source_key, change_token)
WHERE r.source = %(source)s AND r.source_key = i.source_key

-- name: update_records
-- Purpose: replace the records of known rows that say something new. Inputs: incoming_record.
-- Grain: one source row.
UPDATE synthesis.source_record AS r
SET change_token = i.change_token, extractor_version = %(extractor_version)s,
    observed_at = i.observed_at, record_hash = i.record_hash, record = i.record, extracted_at = now()
FROM incoming_record AS i
WHERE r.source = %(source)s AND r.source_key = i.source_key

-- name: upsert_rejections
-- Purpose: keep the rows that could not be read, with the reason. Inputs: a list of each column.
-- Grain: one source row.
INSERT INTO synthesis.rejected_row
  (source, source_key, change_token, extractor_version, reason, detail, run_id)
SELECT %(source)s, i.source_key, i.change_token, %(extractor_version)s, i.reason, i.detail,
       %(run_id)s
FROM unnest(%(source_keys)s::text[], %(tokens)s::text[], %(reasons)s::text[], %(details)s::text[])
  AS i (source_key, change_token, reason, detail)
ON CONFLICT (source, source_key) DO UPDATE
SET change_token = excluded.change_token, extractor_version = excluded.extractor_version,
    reason = excluded.reason, detail = excluded.detail, run_id = excluded.run_id,
    rejected_at = now()
