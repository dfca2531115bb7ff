-- Purpose: store what the taxonomy does not know; rows with equal counts keep the run that first saw
--   them. Inputs: wanted_unknown. Grain: one row per kind and value.
INSERT INTO synthesis.unknown_industry AS u (kind, value, candidates, run_id)
SELECT w.kind, w.value, w.candidates, %(run_id)s
FROM wanted_unknown AS w
ON CONFLICT (kind, value) DO UPDATE
SET candidates = excluded.candidates, run_id = excluded.run_id
WHERE u.candidates <> excluded.candidates
