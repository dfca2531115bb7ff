-- Purpose: forget merges, splits and moves of the person's ids. Grain: one event.
DELETE FROM synthesis.identity_event
WHERE candidate_id IN (SELECT candidate_id FROM erased_candidate)
   OR other_id IN (SELECT candidate_id FROM erased_candidate)
