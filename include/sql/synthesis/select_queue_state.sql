-- Purpose: is there anything left for this lane. Grain: one row.
-- leasable: a lease would find (or adopt) something now, leases of an earlier try of this lane included.
-- held: an open item exists at all; with leasable false, somebody else has it.
SELECT
  EXISTS (
    SELECT 1
    FROM synthesis.run_item AS i
    LEFT JOIN synthesis.batch AS mine ON mine.batch_id = i.batch_id
    WHERE i.run_id = r.run_id AND i.outcome IS NULL AND NOT i.deferred
      AND (i.batch_id IS NULL OR mine.state <> 'leased' OR mine.expires_at < now()
           OR (mine.lane = %(lane)s AND %(first)s))
      AND (
        SELECT true
        FROM synthesis.run_item AS other
        WHERE other.candidate_id = i.candidate_id AND other.fingerprint = i.fingerprint
          AND other.run_id <> i.run_id AND other.outcome IS NULL
          AND (SELECT b.state = 'leased' AND b.expires_at >= now()
               FROM synthesis.batch AS b WHERE b.batch_id = other.batch_id)
        LIMIT 1
      ) IS NULL
  ) AS leasable,
  EXISTS (
    SELECT 1 FROM synthesis.run_item AS i WHERE i.run_id = r.run_id AND i.outcome IS NULL AND NOT i.deferred
  ) AS held,
  coalesce(extract(epoch FROM r.stop_at - now()), 'Infinity')::double precision AS seconds_left
FROM synthesis.run AS r
WHERE r.run_id = %(run_id)s
