-- Purpose: end a lease: done when every item has its outcome, else released when `release` is set; open items
--   go back to the queue, and for those in flight when an engine died that is counted. Leaves one metric per ended batch: its tokens and
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
      engine_deaths = i.engine_deaths + CASE WHEN i.candidate_id = ANY(%(died)s::bigint[]) THEN 1 ELSE 0 END,
      died_among = CASE WHEN i.candidate_id = ANY(%(died)s::bigint[]) THEN %(died_among)s ELSE i.died_among END
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
