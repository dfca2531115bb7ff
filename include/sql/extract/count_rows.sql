-- Purpose: the size of a source table whose key is unique, so that it has as many keys. Grain: one row.
SELECT count(*), count({key})
FROM {table} AS t
