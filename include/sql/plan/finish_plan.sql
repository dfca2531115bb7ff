-- Purpose: the totals of a plan and the end of its window. Rejected before: not planned, and the present fingerprint has
--   no outcome but a rejection in the runs that count for this one. Grain: one run.
UPDATE synthesis.run AS r
SET candidates = %(candidates)s, too_thin = %(too_thin)s, planned = items.n,
    fresh = %(candidates)s - %(too_thin)s - items.n - rejected.n, rejected_before = rejected.n, release_id = %(release_id)s, notice = %(notice)s, settings = %(settings)s,
    planned_at = now(), stop_at = now() + make_interval(secs => %(window_seconds)s)
FROM (SELECT count(*) AS n FROM synthesis.run_item WHERE run_id = %(run_id)s) AS items,
  (SELECT count(DISTINCT p.candidate_id) AS n
   FROM planned_document AS p
   JOIN synthesis.completion AS c
     ON c.candidate_id = p.candidate_id AND c.fingerprint = p.fingerprint AND c.is_terminal AND c.outcome = 'rejected'
   JOIN synthesis.run AS theirs ON theirs.run_id = c.run_id
   JOIN synthesis.run AS ours ON ours.run_id = %(run_id)s AND (theirs.publishes OR NOT ours.publishes)
   WHERE NOT EXISTS (
     SELECT FROM synthesis.completion AS a
     WHERE a.candidate_id = p.candidate_id AND a.fingerprint = p.fingerprint AND a.is_accepted)
     AND NOT EXISTS (
       SELECT FROM synthesis.run_item AS i WHERE i.run_id = %(run_id)s AND i.candidate_id = p.candidate_id)
  ) AS rejected
WHERE r.run_id = %(run_id)s
RETURNING r.fresh, r.rejected_before, r.planned
