-- Purpose: how many accepted answers of a run a judge could be asked about. Grain: one row.
SELECT count(*)
FROM synthesis.completion AS c
JOIN synthesis.document AS d ON d.candidate_id = c.candidate_id AND d.content_hash = c.content_hash
WHERE c.run_id = %(run_id)s AND c.is_accepted AND c.summary IS NOT NULL
