-- Purpose: last answers of a run that were not simply accepted, by outcome and reason. A refused document that was
--   opened again is no longer among them. Grain: one row per outcome and reason.
SELECT outcome, coalesce(reason, 'unknown') AS reason, count(*) AS documents
FROM synthesis.completion
WHERE run_id = %(run_id)s AND is_terminal AND outcome <> 'valid'
GROUP BY outcome, reason
ORDER BY documents DESC, outcome, reason
