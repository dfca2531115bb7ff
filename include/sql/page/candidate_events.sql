-- Purpose: what happened to a person's id, newest first. Inputs: candidate_id, rows. Grain: one event.
SELECT run_id, kind, candidate_id, other_id, happened_at
FROM synthesis.identity_event
WHERE candidate_id = %(candidate_id)s OR other_id = %(candidate_id)s
ORDER BY event_id DESC
LIMIT %(rows)s
