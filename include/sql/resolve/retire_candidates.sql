-- Purpose: candidates that lost their last source row. Grain: one candidate.
WITH retired AS (
  UPDATE synthesis.candidate AS c
  SET retired_at = now()
  FROM touched_candidate AS t
  WHERE c.candidate_id = t.candidate_id
    AND c.merged_into IS NULL AND c.retired_at IS NULL
    AND NOT EXISTS (
      SELECT FROM synthesis.candidate_source AS s WHERE s.candidate_id = c.candidate_id
    )
  RETURNING c.candidate_id
)
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id)
SELECT %(run_id)s, 'retired', candidate_id FROM retired
