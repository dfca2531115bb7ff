-- Purpose: drop documents of candidates whose records say nothing any more. Inputs: their candidate_ids.
-- Grain: one row per candidate.
DELETE FROM synthesis.document WHERE candidate_id = ANY (%(candidate_ids)s)
