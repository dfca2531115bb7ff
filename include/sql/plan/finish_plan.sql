-- Purpose: the totals of a plan and the end of its window. Grain: one run.
UPDATE synthesis.run AS r
SET candidates = %(candidates)s, too_thin = %(too_thin)s, planned = items.n,
    fresh = %(candidates)s - %(too_thin)s - items.n, release_id = %(release_id)s, notice = %(notice)s, settings = %(settings)s,
    planned_at = now(), stop_at = now() + make_interval(secs => %(window_seconds)s)
FROM (SELECT count(*) AS n FROM synthesis.run_item WHERE run_id = %(run_id)s) AS items
WHERE r.run_id = %(run_id)s
RETURNING r.fresh, r.planned
