-- Purpose: the new candidates. Grain: one candidate.
INSERT INTO synthesis.candidate (candidate_id, created_run)
OVERRIDING SYSTEM VALUE
SELECT candidate_id, %(run_id)s FROM new_candidate
