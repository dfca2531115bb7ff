-- Purpose: take people out of the serving table who have no source row left or were merged into another id.
-- Inputs: synthesis.publish_wanted. Grain: one row per candidate removed.
DELETE FROM synthesis.candidate_synthesis AS s
WHERE NOT EXISTS (SELECT FROM synthesis.publish_wanted AS w WHERE w.candidate_id = s.candidate_id)
