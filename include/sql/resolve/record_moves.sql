-- Purpose: rows that left a candidate for a new one or a merged-away one that is back (split), or for
-- an existing one (moved). Runs before candidate_source changes. Grain: one pair of candidates.
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id, other_id, detail)
SELECT %(run_id)s,
       CASE WHEN bool_or(n.candidate_id IS NULL AND u.candidate_id IS NULL) THEN 'moved' ELSE 'split' END,
       m.previous, m.candidate_id,
       jsonb_build_object(
         'rows', jsonb_agg(jsonb_build_array(s.source, s.source_key) ORDER BY s.source, s.source_key),
         'revived', bool_or(u.candidate_id IS NOT NULL)
       )
FROM move AS m
JOIN synthesis.candidate_source AS s ON s.candidate_id = m.previous
JOIN assigned AS a
  ON a.source = s.source AND a.source_key = s.source_key AND a.candidate_id = m.candidate_id
LEFT JOIN new_candidate AS n ON n.candidate_id = m.candidate_id
LEFT JOIN unmerged AS u ON u.candidate_id = m.candidate_id
GROUP BY m.previous, m.candidate_id
ORDER BY m.previous, m.candidate_id
