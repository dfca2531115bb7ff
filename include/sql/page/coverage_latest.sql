-- Purpose: coverage as counted last. Grain: at most one row.
SELECT c.run_id, c.taken_at, c.candidates, c.states, c.sources, c.ages, c.domains, c.skills, now() AS now
FROM synthesis.coverage AS c
ORDER BY c.taken_at DESC
LIMIT 1
