-- Purpose: sentences that are missing from the last answers of a run, by the reason of their removal. Grain: one reason.
SELECT r ->> 'reason' AS reason, count(*) AS sentences
FROM synthesis.completion AS c
CROSS JOIN LATERAL jsonb_array_elements(c.removed) AS r
WHERE c.run_id = %(run_id)s AND c.is_terminal AND c.removed <> '[]'
GROUP BY 1
ORDER BY 2 DESC, 1
