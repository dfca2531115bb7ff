-- Purpose: note on the run what it put into the serving table, over all its publishes: clearing a lane publishes
-- again and must not make the first one look as if it had done nothing. Grain: one run.
UPDATE synthesis.run
SET
  published_at = now(),
  published = (SELECT count(*) FROM synthesis.candidate_synthesis WHERE run_id = %(run_id)s),
  withdrawn = coalesce(withdrawn, 0) + %(withdrawn)s
WHERE run_id = %(run_id)s
