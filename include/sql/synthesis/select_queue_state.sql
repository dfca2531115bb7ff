-- Purpose: is there anything left for this lane. Grain: one row.
-- leasable: a lease would find (or adopt) something now, leases of an earlier try of this lane included.
-- held: an open item exists at all; with leasable false, somebody else has it.
-- Not materialized, or the first open item would cost a look at all of them.
WITH open_item AS NOT MATERIALIZED (
  SELECT
    i.batch_id IS NULL OR mine.state <> 'leased' OR mine.expires_at < now()
      OR (mine.lane = %(lane)s AND %(first)s) AS is_free,
    (SELECT true
     FROM synthesis.run_item AS other
     WHERE other.candidate_id = i.candidate_id AND other.fingerprint = i.fingerprint
       AND other.run_id <> i.run_id AND other.outcome IS NULL
       AND (SELECT b.state = 'leased' AND b.expires_at >= now()
            FROM synthesis.batch AS b WHERE b.batch_id = other.batch_id)
     LIMIT 1) IS NOT NULL AS is_elsewhere
  FROM synthesis.run_item AS i
  LEFT JOIN synthesis.batch AS mine ON mine.batch_id = i.batch_id
  WHERE i.run_id = %(run_id)s AND i.outcome IS NULL AND NOT i.deferred
)
SELECT
  EXISTS (SELECT 1 FROM open_item WHERE is_free AND NOT is_elsewhere) AS leasable,
  EXISTS (SELECT 1 FROM open_item) AS held,
  coalesce(extract(epoch FROM r.stop_at - now()), 'Infinity')::double precision AS seconds_left
FROM synthesis.run AS r
WHERE r.run_id = %(run_id)s
