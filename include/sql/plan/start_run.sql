-- Purpose: open the row of a run; a cleared run keeps its history, forgets its failures and runs again. Grain: one run.
WITH forgotten AS (
  DELETE FROM synthesis.run_stage WHERE run_id = %(run_id)s AND error IS NOT NULL
)
INSERT INTO synthesis.run (run_id, state, params, publishes)
VALUES (%(run_id)s, 'running', %(params)s, %(publishes)s)
ON CONFLICT (run_id) DO UPDATE
SET state = 'running', params = excluded.params, publishes = excluded.publishes, ended_at = NULL, error = NULL
