-- Purpose: key ranges of live candidates that take about equally long to render: a person costs as much as four source
-- rows, and each of their rows one more. Older candidates have more rows. Inputs: shards.
-- Grain: one range; the caller stretches them until they cover every id.
WITH person AS (
  SELECT c.candidate_id, 4 + count(s.candidate_id) AS work
  FROM synthesis.candidate AS c
  LEFT JOIN synthesis.candidate_source AS s ON s.candidate_id = c.candidate_id
  WHERE c.merged_into IS NULL AND c.retired_at IS NULL
  GROUP BY c.candidate_id
)
SELECT max(candidate_id)
FROM (
  SELECT candidate_id,
         ceil(sum(work) OVER (ORDER BY candidate_id) * %(shards)s / sum(work) OVER ()) AS shard
  FROM person
) AS numbered
GROUP BY shard
ORDER BY shard
