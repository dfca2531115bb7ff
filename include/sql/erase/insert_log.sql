-- Purpose: the audit line of an erasure. Grain: one erasure.
INSERT INTO synthesis.erasure_log (candidate_ids, erased_by, rows_removed, tombstones)
SELECT (SELECT array_agg(candidate_id ORDER BY candidate_id) FROM erased_candidate),
       current_user || ' (' || %(asked_by)s || ')', %(rows_removed)s, %(tombstones)s
RETURNING erasure_id
