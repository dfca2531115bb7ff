-- Purpose: the size of a source table and how many different keys it has. Grain: one row.
SELECT count(*), count(DISTINCT {key}::text)
FROM {table} AS t
