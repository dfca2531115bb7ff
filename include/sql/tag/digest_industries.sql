-- Purpose: a value that differs when the industry table says something else, in whatever order its rows lie.
-- Inputs: the deployment's industry table. Grain: one row.
SELECT count(*)::text || ':' || coalesce(sum(hashtextextended(c::text, 0)::numeric), 0)::text
FROM (
  SELECT {columns}
  FROM {table}
) AS c
