-- Purpose: forget the rows that have left the source table; identity is resolution's to mend.
-- Inputs: source_record, rejected_row, the source table. Grain: one source row. Returns their number.
WITH gone AS MATERIALIZED (
  SELECT known.source_key
  FROM (
    SELECT source_key FROM synthesis.source_record WHERE source = %(source)s
    UNION
    SELECT source_key FROM synthesis.rejected_row WHERE source = %(source)s
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
