-- Purpose: take people out of the serving table who have no source row left or were merged into another id.
-- Inputs: synthesis.publish_change. Grain: one row per candidate removed.
DELETE FROM synthesis.candidate_synthesis AS s
USING synthesis.publish_change AS g
WHERE g.is_gone AND g.candidate_id = s.candidate_id
