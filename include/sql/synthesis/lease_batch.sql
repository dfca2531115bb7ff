-- Purpose: give one lane the next items, by priority, under a new batch (the fencing token).
-- Inputs: call it under lock_leases. Left out: what is leased, what another run has leased under the same
--   fingerprint, what is terminal already. Nothing after the run's stop_at.
-- The checks are scalar subqueries on purpose: as NOT EXISTS the planner may turn them into a hash join over the
--   whole run, and as a join it may walk every leased item; either way for every lease, while statistics are young.
-- Grain: one row per leased item; markdown is null where the document changed since the plan.
WITH picked AS (
  SELECT i.run_id, i.candidate_id
  FROM synthesis.run_item AS i
  JOIN synthesis.run AS r ON r.run_id = i.run_id
  WHERE i.run_id = %(run_id)s AND i.outcome IS NULL AND NOT i.deferred AND i.batch_id IS NULL
    AND (r.stop_at IS NULL OR r.stop_at > now())
    AND (i.forced OR (
      SELECT true
      FROM synthesis.completion AS c
      JOIN synthesis.run AS theirs ON theirs.run_id = c.run_id AND (theirs.publishes OR NOT r.publishes)
      WHERE c.candidate_id = i.candidate_id AND c.fingerprint = i.fingerprint AND c.is_terminal
      LIMIT 1
    ) IS NULL)
    AND (
      SELECT true
      FROM synthesis.run_item AS other
      WHERE other.candidate_id = i.candidate_id AND other.fingerprint = i.fingerprint
        AND other.run_id <> i.run_id AND other.outcome IS NULL
        AND (SELECT b.state FROM synthesis.batch AS b WHERE b.batch_id = other.batch_id) = 'leased'
      LIMIT 1
    ) IS NULL
  ORDER BY i.priority, i.candidate_id
  LIMIT %(size)s
  FOR UPDATE OF i SKIP LOCKED
),
created AS (
  INSERT INTO synthesis.batch (run_id, lane, state, size, expires_at)
  SELECT %(run_id)s, %(lane)s, 'leased', count(*), now() + make_interval(secs => %(lease_seconds)s)
  FROM picked
  HAVING count(*) > 0
  RETURNING batch_id
),
claimed AS (
  UPDATE synthesis.run_item AS i
  SET batch_id = created.batch_id
  FROM picked, created
  WHERE i.run_id = picked.run_id AND i.candidate_id = picked.candidate_id
  RETURNING i.candidate_id, i.fingerprint, i.content_hash, i.priority, i.engine_deaths, i.died_among,
            i.batch_id
)
SELECT
  claimed.batch_id, claimed.candidate_id, claimed.fingerprint, claimed.content_hash, d.markdown,
  coalesce(d.word_count, 0), claimed.engine_deaths, claimed.died_among,
  (SELECT count(*)
   FROM synthesis.completion AS c
   WHERE c.candidate_id = claimed.candidate_id AND c.fingerprint = claimed.fingerprint
     AND c.run_id = %(run_id)s AND NOT c.is_terminal) AS attempts_made,
  (SELECT jsonb_build_object('reason', c.reason, 'removed', c.removed)
   FROM synthesis.completion AS c
   WHERE c.candidate_id = claimed.candidate_id AND c.fingerprint = claimed.fingerprint
     AND c.run_id = %(run_id)s AND NOT c.is_terminal
   ORDER BY c.attempt DESC
   LIMIT 1) AS refusal,
  (SELECT coalesce(extract(epoch FROM stop_at - now()), 'Infinity')::double precision
   FROM synthesis.run WHERE run_id = %(run_id)s) AS seconds_left
FROM claimed
LEFT JOIN synthesis.document AS d
  ON d.candidate_id = claimed.candidate_id AND d.content_hash = claimed.content_hash
ORDER BY claimed.priority, claimed.candidate_id
