-- Purpose: answers of a run that were stored after it had published and are not served: a lane that lost its task
-- worked on. An extractive one may be kept from view by an older text of the model. Grain: one row.
SELECT count(*)
FROM synthesis.run AS r
JOIN synthesis.run_item AS i ON i.run_id = r.run_id
LEFT JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = i.candidate_id
WHERE r.run_id = %(run_id)s AND r.publishes AND i.ended_at > r.published_at
  AND i.outcome IN ('valid', 'repaired', 'extractive') AND (i.outcome <> 'extractive' OR s.method IS DISTINCT FROM 'model')
  AND s.fingerprint IS DISTINCT FROM i.fingerprint
