-- Purpose: prolong leases. Grain: one row per batch that this lane still holds; a missing one was taken over.
UPDATE synthesis.batch
SET expires_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE batch_id = ANY(%(batch_ids)s) AND state = 'leased'
RETURNING batch_id
