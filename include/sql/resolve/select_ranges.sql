-- Purpose: key ranges of about equally many live candidates.
-- Grain: one range; the caller stretches them until they cover every id.
SELECT max(candidate_id)
FROM (
  SELECT candidate_id, ntile(%(shards)s) OVER (ORDER BY candidate_id) AS shard
  FROM synthesis.candidate
  WHERE merged_into IS NULL AND retired_at IS NULL
) AS numbered
GROUP BY shard
ORDER BY shard
