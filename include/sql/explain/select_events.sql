-- Purpose: what happened to ids: merges, splits, moves. Grain: one event, oldest first.
SELECT run_id, kind, candidate_id, other_id, detail, happened_at
FROM synthesis.identity_event
WHERE candidate_id = ANY (%(ids)s) OR other_id = ANY (%(ids)s)
ORDER BY event_id
