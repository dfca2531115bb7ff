-- Purpose: the ids that answer as one person, locked: a lane that stores an answer waits, then finds nobody.
-- Inputs: candidate_id, a current id. Grain: one id.
WITH named AS MATERIALIZED (
  SELECT candidate_id FROM synthesis.candidate
  WHERE candidate_id = %(candidate_id)s
     OR candidate_id IN (
       SELECT candidate_id FROM synthesis.candidate_redirect WHERE current_id = %(candidate_id)s)
  ORDER BY candidate_id
  FOR UPDATE
)
INSERT INTO erased_candidate SELECT candidate_id FROM named
