-- Purpose: take back the items of leases that nobody renewed; the old holder is fenced from now on.
-- Inputs: run_id and lane also name leases of an earlier try of this very lane, which are taken back at once;
--   both null for none. Grain: one row per batch taken back.
WITH expired AS (
  UPDATE synthesis.batch
  SET state = 'expired', ended_at = now()
  WHERE state = 'leased'
    AND (expires_at < now() OR (run_id = %(run_id)s::text AND lane = %(lane)s::integer))
  RETURNING batch_id
),
freed AS (
  UPDATE synthesis.run_item AS i
  SET batch_id = NULL
  FROM expired
  WHERE i.batch_id = expired.batch_id AND i.outcome IS NULL
)
SELECT batch_id FROM expired
