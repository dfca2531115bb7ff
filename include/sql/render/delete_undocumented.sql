-- Purpose: drop documents of candidates whose records say nothing any more. Inputs: undocumented.
-- Grain: one row per candidate.
DELETE FROM synthesis.document WHERE candidate_id IN (SELECT candidate_id FROM undocumented)
