-- Purpose: point ids that lost all their rows to an older id at that id, and record which rows
-- came with them. Runs before candidate_source changes. Grain: one merged id.
WITH merged AS (
  UPDATE synthesis.candidate AS c
  SET merged_into = m.winner, merged_at = now(), retired_at = NULL
  FROM merge AS m
  WHERE c.candidate_id = m.loser
  RETURNING m.winner, m.loser
)
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id, other_id, detail)
SELECT %(run_id)s, 'merged', m.winner, m.loser,
       jsonb_build_object('rows', coalesce(
         jsonb_agg(jsonb_build_array(s.source, s.source_key) ORDER BY s.source, s.source_key)
           FILTER (WHERE s.source IS NOT NULL),
         '[]'
       ))
FROM merged AS m
LEFT JOIN synthesis.candidate_source AS s ON s.candidate_id = m.loser
GROUP BY m.winner, m.loser
ORDER BY m.loser
