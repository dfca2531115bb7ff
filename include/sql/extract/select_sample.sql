-- Purpose: a few rows that tell whether the paths of a mapping lead to anything. The first ones, because a random
-- sample of a big table reads pages from all over it. Inputs: the source table. Grain: one source row.
SELECT {columns}
FROM {rows} AS t
WHERE {key} IS NOT NULL
LIMIT %(limit)s
