-- Purpose: retired candidates that have source rows again. Grain: one candidate.
WITH revived AS (
  UPDATE synthesis.candidate AS c
  SET retired_at = NULL
  WHERE c.retired_at IS NOT NULL
    AND EXISTS (SELECT FROM synthesis.candidate_source AS s WHERE s.candidate_id = c.candidate_id)
  RETURNING c.candidate_id
)
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id)
SELECT %(run_id)s, 'returned', candidate_id FROM revived
