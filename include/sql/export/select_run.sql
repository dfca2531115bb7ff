-- Purpose: find the run to export, by its id or the one that started last. Grain: at most one row.
SELECT r.run_id, r.state, r.params, r.settings, r.publishes, r.candidates, r.planned, r.started_at, r.planned_at,
       r.ended_at, r.published_at, r.published, r.error, to_jsonb(b) AS release
FROM synthesis.run AS r
LEFT JOIN synthesis.release AS b ON b.release_id = r.release_id
WHERE %(run_id)s = 'latest' OR r.run_id = %(run_id)s
ORDER BY r.started_at DESC
LIMIT 1
