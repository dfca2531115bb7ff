-- Purpose: the gate's counts by outcome and by score of the published runs before one that asked under the same release, newest first; a
-- new prompt or model has figures of its own. Grain: one run.
SELECT earlier.report -> 'gate' -> 'counts' AS counts, coalesce(earlier.report -> 'gate' -> 'scores', '{}') AS scores
FROM synthesis.run AS this
JOIN synthesis.run AS earlier
  ON earlier.release_id = this.release_id AND earlier.started_at < this.started_at
WHERE this.run_id = %(run_id)s AND earlier.published_at IS NOT NULL AND earlier.report -> 'gate' -> 'counts' IS NOT NULL
ORDER BY earlier.started_at DESC
LIMIT %(runs)s
