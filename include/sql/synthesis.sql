-- name: adopt_outcomes
-- Purpose: close items whose fingerprint got its terminal outcome in another run after this one was planned.
-- Inputs: the first `size` open items of the run. A run that publishes counts only completions of runs that do.
-- Grain: one row per item closed.
UPDATE synthesis.run_item AS i
SET outcome = done.outcome, ended_at = now()
FROM (
  SELECT head.run_id, head.candidate_id, c.outcome,
         row_number() OVER (PARTITION BY head.candidate_id ORDER BY c.is_accepted DESC, c.created_at DESC) AS n
  FROM (
    SELECT run_id, candidate_id, fingerprint, forced
    FROM synthesis.run_item
    WHERE run_id = %(run_id)s AND outcome IS NULL AND NOT deferred AND batch_id IS NULL
    ORDER BY priority, candidate_id
    LIMIT %(size)s
  ) AS head
  JOIN synthesis.completion AS c
    ON c.candidate_id = head.candidate_id AND c.fingerprint = head.fingerprint AND c.is_terminal
  JOIN synthesis.run AS theirs ON theirs.run_id = c.run_id
  JOIN synthesis.run AS ours ON ours.run_id = head.run_id
  WHERE NOT head.forced AND (theirs.publishes OR NOT ours.publishes)
) AS done
WHERE done.n = 1 AND i.run_id = done.run_id AND i.candidate_id = done.candidate_id

-- name: beat_lane
-- Purpose: say that a lane lives, what it has done and what its engine said last. Grain: one lane of a run.
UPDATE synthesis.lane
SET heartbeat_at = now(), counters = %(counters)s, gauges = %(gauges)s,
    load_seconds = coalesce(%(load_seconds)s, load_seconds),
    warm_up_seconds = coalesce(%(warm_up_seconds)s, warm_up_seconds)
WHERE run_id = %(run_id)s AND lane = %(lane)s

-- name: close_items
-- Purpose: give items their outcome. Grain: one row per item that this batch still holds.
UPDATE synthesis.run_item AS i
SET outcome = a.outcome, ended_at = coalesce(i.ended_at, now())
FROM jsonb_to_recordset(%(attempts)s) AS a (candidate_id bigint, fingerprint text, is_terminal boolean, outcome text)
WHERE i.run_id = %(run_id)s AND i.candidate_id = a.candidate_id AND i.batch_id = %(batch_id)s
  AND i.fingerprint = a.fingerprint AND a.is_terminal

-- name: end_batch
-- Purpose: end a lease: done when every item has its outcome, else released when `release` is set; open items
--   go back to the queue, and for those in flight when an engine crashed that is counted. Leaves one metric per ended batch: its tokens and
--   seconds, and what the engine of its lane said last (running, waiting, token_usage).
-- Grain: one batch.
WITH ended AS (
  UPDATE synthesis.batch AS b
  SET state = CASE WHEN o.n = 0 THEN 'done' ELSE 'released' END, ended_at = now()
  FROM (
    SELECT count(*) AS n FROM synthesis.run_item WHERE batch_id = %(batch_id)s AND outcome IS NULL
  ) AS o
  WHERE b.batch_id = %(batch_id)s AND b.state = 'leased' AND (o.n = 0 OR %(release)s)
  RETURNING b.batch_id, b.run_id, b.lane, b.state, b.size, o.n AS open, b.prompt_tokens, b.completion_tokens,
            b.cached_tokens, extract(epoch FROM now() - b.leased_at)::double precision AS seconds
),
freed AS (
  UPDATE synthesis.run_item AS i
  SET batch_id = NULL,
      engine_deaths = i.engine_deaths + CASE WHEN i.candidate_id = ANY(%(crashed)s::bigint[]) THEN 1 ELSE 0 END,
      died_among = CASE WHEN i.candidate_id = ANY(%(crashed)s::bigint[]) THEN %(died_among)s ELSE i.died_among END
  FROM ended
  WHERE i.batch_id = ended.batch_id AND i.outcome IS NULL
)
INSERT INTO synthesis.run_metric (run_id, lane, kind, value)
SELECT ended.run_id, ended.lane, 'batch', jsonb_build_object(
  'batch_id', batch_id, 'state', ended.state, 'size', size, 'done', size - open, 'prompt_tokens', prompt_tokens,
  'completion_tokens', completion_tokens, 'cached_tokens', cached_tokens, 'seconds', seconds)
  || coalesce(l.gauges, '{}')
FROM ended
LEFT JOIN synthesis.lane AS l ON l.run_id = ended.run_id AND l.lane = ended.lane

-- name: end_lane
-- Purpose: close the row of a lane. Grain: one lane of a run.
UPDATE synthesis.lane
SET state = %(state)s, counters = %(counters)s, load_seconds = coalesce(%(load_seconds)s, load_seconds),
    warm_up_seconds = coalesce(%(warm_up_seconds)s, warm_up_seconds),
    heartbeat_at = now(), ended_at = now(), reason = coalesce(%(reason)s, reason), error = %(error)s
WHERE run_id = %(run_id)s AND lane = %(lane)s

-- name: expire_batches
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

-- name: hold_batch
-- Purpose: read the state of a batch and keep it until commit: nobody takes the lease over meanwhile.
-- Grain: one row.
SELECT state, run_id FROM synthesis.batch WHERE batch_id = %(batch_id)s FOR UPDATE

-- name: hold_candidates
-- Purpose: which of these people still exist, kept until commit; an erasure under way is waited for.
-- Grain: one candidate.
SELECT candidate_id
FROM synthesis.candidate
WHERE candidate_id = ANY(%(candidate_ids)s)
ORDER BY candidate_id
FOR KEY SHARE

-- name: insert_completions
-- Purpose: append attempts and add their tokens to the batch; a repeated call adds nothing.
-- Inputs: attempts, a JSON array of rows. Grain: one row per attempt; returns how many were new.
WITH added AS (
  INSERT INTO synthesis.completion (
    candidate_id, fingerprint, attempt_id, run_id, batch_id, release_id, content_hash, attempt, is_terminal,
    is_accepted, outcome, reason, method, raw_text, summary, skills, inferred_skills, checks, finish_reason,
    prompt_tokens, completion_tokens, cached_tokens, seconds,
    removed, supported, claims)
  SELECT
    a.candidate_id, a.fingerprint, a.attempt_id, r.run_id, %(batch_id)s, r.release_id, a.content_hash, a.attempt,
    a.is_terminal,
    a.wants_accepted AND NOT EXISTS (
      SELECT 1 FROM synthesis.completion AS c
      WHERE c.candidate_id = a.candidate_id AND c.fingerprint = a.fingerprint AND c.is_accepted),
    a.outcome, a.reason, a.method, a.raw_text, a.summary, a.skills, a.inferred_skills, a.checks, a.finish_reason,
    a.prompt_tokens, a.completion_tokens, a.cached_tokens, a.seconds,
    a.removed, a.supported, a.claims
  FROM jsonb_to_recordset(%(attempts)s) AS a (
    candidate_id bigint, fingerprint text, attempt_id text, content_hash text, attempt integer,
    is_terminal boolean, wants_accepted boolean, outcome text, reason text, method text, raw_text text,
    summary text, skills jsonb, inferred_skills text[], checks jsonb, finish_reason text,
    prompt_tokens integer, completion_tokens integer, cached_tokens integer, seconds double precision,
    removed jsonb, supported integer, claims integer)
  CROSS JOIN synthesis.run AS r
  WHERE r.run_id = %(run_id)s
  ON CONFLICT (candidate_id, fingerprint, attempt_id) DO NOTHING
  RETURNING prompt_tokens, completion_tokens, cached_tokens
),
total AS (
  SELECT count(*) AS n, coalesce(sum(prompt_tokens), 0) AS prompt_tokens,
         coalesce(sum(completion_tokens), 0) AS completion_tokens, coalesce(sum(cached_tokens), 0) AS cached_tokens
  FROM added
)
UPDATE synthesis.batch AS b
SET prompt_tokens = b.prompt_tokens + total.prompt_tokens,
    completion_tokens = b.completion_tokens + total.completion_tokens,
    cached_tokens = b.cached_tokens + total.cached_tokens
FROM total
WHERE b.batch_id = %(batch_id)s
RETURNING total.n

-- name: insert_gpu_samples
-- Purpose: keep what a lane's cards did. Inputs: samples, a JSON array. Grain: one row per card and time.
INSERT INTO synthesis.run_metric (run_id, lane, kind, sampled_at, value)
SELECT %(run_id)s, %(lane)s, 'gpu', (s.value ->> 'sampled_at')::timestamptz, s.value - 'sampled_at'
FROM jsonb_array_elements(%(samples)s) AS s

-- name: lease_batch
-- Purpose: give one lane the next items, by priority, under a new batch (the fencing token).
-- Inputs: call it under lock_leases. Left out: what is leased, what another run has leased under the same
--   fingerprint, what is terminal already. Nothing after the run's stop_at.
-- The checks are scalar subqueries on purpose: as NOT EXISTS the planner may turn them into a hash join over the
--   whole run, and as a join it may walk every leased item; either way for every lease, while statistics are young.
-- Grain: one row per leased item; document is null where it changed since the plan.
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
  claimed.batch_id, claimed.candidate_id, claimed.fingerprint, claimed.content_hash,
  d.markdown AS document, coalesce(d.word_count, 0) AS word_count, claimed.engine_deaths, claimed.died_among,
  (SELECT count(*)
   FROM synthesis.completion AS c
   WHERE c.candidate_id = claimed.candidate_id AND c.fingerprint = claimed.fingerprint
     AND c.run_id = %(run_id)s AND NOT c.is_terminal) AS attempts_made,
  (SELECT jsonb_build_object(
     'reason', c.reason,
     'removed', jsonb_path_query_array(c.removed, '$[*] ? (@.sentence != null && @.sentence != "")'))
   FROM synthesis.completion AS c
   WHERE c.candidate_id = claimed.candidate_id AND c.fingerprint = claimed.fingerprint
     AND c.run_id = %(run_id)s AND NOT c.is_terminal
   ORDER BY c.attempt DESC
   LIMIT 1) AS rejection,
  (SELECT coalesce(extract(epoch FROM stop_at - now()), 'Infinity')::double precision
   FROM synthesis.run WHERE run_id = %(run_id)s) AS seconds_left
FROM claimed
LEFT JOIN synthesis.document AS d
  ON d.candidate_id = claimed.candidate_id AND d.content_hash = claimed.content_hash
ORDER BY claimed.priority, claimed.candidate_id

-- name: lock_leases
-- Purpose: let one session at a time hand out leases, so that "nobody else has it" stays true until commit.
-- Grain: none; the lock ends with the transaction.
SELECT pg_advisory_xact_lock(hashtextextended('profiles:lease', 0))

-- name: defer_items
-- Purpose: defer items to the next plan, because the document changed since this one or the engine failed to answer.
-- Grain: one row per item.
UPDATE synthesis.run_item
SET batch_id = NULL, deferred = true
WHERE run_id = %(run_id)s AND batch_id = %(batch_id)s AND candidate_id = ANY(%(candidate_ids)s) AND outcome IS NULL

-- name: renew_batches
-- Purpose: prolong leases. Grain: one row per batch that this lane still holds; a missing one was taken over.
UPDATE synthesis.batch
SET expires_at = now() + make_interval(secs => %(lease_seconds)s)
WHERE batch_id = ANY(%(batch_ids)s) AND state = 'leased'
RETURNING batch_id

-- name: retract_accepted
-- Purpose: make room for a newly accepted completion of the same fingerprint (a forced item); one is accepted
--   at a time. A run that does not publish never takes the mark from one that does, nor sentences of the
--   document from a published text of the model.
-- Grain: one row per completion that loses the mark.
UPDATE synthesis.completion AS c
SET is_accepted = false
FROM jsonb_to_recordset(%(attempts)s) AS a (
       candidate_id bigint, fingerprint text, attempt_id text, wants_accepted boolean, method text),
     synthesis.run AS ours, synthesis.run AS theirs
WHERE a.wants_accepted AND c.candidate_id = a.candidate_id AND c.fingerprint = a.fingerprint AND c.is_accepted
  AND c.attempt_id <> a.attempt_id AND (a.method = 'model' OR c.method = 'extractive' OR NOT theirs.publishes)
  AND ours.run_id = %(run_id)s AND theirs.run_id = c.run_id AND (ours.publishes OR NOT theirs.publishes)

-- name: select_queue_state
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

-- name: start_lane
-- Purpose: open the row of a lane; a new try of the lane takes the row over. Grain: one lane of a run.
INSERT INTO synthesis.lane (run_id, lane, state, host, pid, cards, parallelism, reason, engine, model)
VALUES (%(run_id)s, %(lane)s, 'running', %(host)s, %(pid)s, %(cards)s, %(parallelism)s, %(reason)s, %(engine)s,
        %(model)s)
ON CONFLICT (run_id, lane) DO UPDATE
SET state = 'running', host = excluded.host, pid = excluded.pid, cards = excluded.cards,
    parallelism = excluded.parallelism, reason = excluded.reason, engine = excluded.engine, model = excluded.model,
    load_seconds = NULL, warm_up_seconds = NULL, gauges = '{}', counters = '{}', started_at = now(), heartbeat_at = now(), ended_at = NULL, error = NULL
