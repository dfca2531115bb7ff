-- Purpose: how many rows known from earlier runs have left the source table.
-- Inputs: source_record, rejected_row, the source table. Grain: one row.
WITH known AS (
  SELECT source_key FROM synthesis.source_record WHERE source = %(source)s
  UNION
  SELECT source_key FROM synthesis.rejected_row WHERE source = %(source)s
)
SELECT (SELECT count(*) FROM known),
       (SELECT count(*)
        FROM known
        WHERE NOT EXISTS (SELECT FROM {table} AS t WHERE {key}::text = known.source_key))
