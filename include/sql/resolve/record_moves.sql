-- Purpose: rows that left a candidate for a new one (split) or an existing one (moved).
-- Grain: one pair of candidates.
INSERT INTO synthesis.identity_event (run_id, kind, candidate_id, other_id, detail)
SELECT %(run_id)s,
       CASE WHEN n.candidate_id IS NULL THEN 'moved' ELSE 'split' END,
       m.previous, m.candidate_id, jsonb_build_object('rows', m.source_rows)
FROM move AS m
LEFT JOIN new_candidate AS n USING (candidate_id)
