-- Purpose: gate verdicts and tokens of the last runs, oldest first. Inputs: runs. Grain: one row per run that reported.
SELECT c.run_id, r.started_at, c.gate, c.tokens
FROM (SELECT run_id, taken_at, gate, tokens FROM synthesis.coverage ORDER BY taken_at DESC LIMIT %(runs)s) AS c
JOIN synthesis.run AS r ON r.run_id = c.run_id
ORDER BY r.started_at
