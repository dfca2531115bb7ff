-- Purpose: point ids that lost all their rows to an older id at that id. Grain: one merged id.
WITH merged AS (
  UPDATE synthesis.candidate AS c
  SET merged_into = m.winner, merged_at = now(), retired_at = NULL
  FROM merge AS m
  WHERE c.candidate_id = m.loser
  RETURNING m.winner, m.loser
)
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id, other_id)
SELECT %(run_id)s, 'merged', winner, loser FROM merged
