-- Purpose: why documents were planned, why answers were refused, what of the source rows could not be read, and
-- where they address a reader. Grain: one row per kind and reason.
SELECT 'stale' AS kind, reason, count(*) AS documents
FROM synthesis.run_item WHERE run_id = %(run_id)s GROUP BY reason
UNION ALL
SELECT 'refused', coalesce(c.reason, 'unknown'), count(*)
FROM synthesis.completion AS c
WHERE c.run_id = %(run_id)s AND (c.outcome IN ('rejected', 'extractive') OR NOT c.is_terminal)
GROUP BY c.reason
UNION ALL
SELECT 'unreadable_row', source || ': ' || reason, count(*)
FROM synthesis.rejected_row GROUP BY source, reason
UNION ALL
SELECT 'reader_text', source || ': ' || field, count(*)
FROM synthesis.reader_text GROUP BY source, field
ORDER BY kind, documents DESC, reason
