-- Purpose: what is still open when the window has ended was not lost but put off. Grain: one row per planned item.
UPDATE synthesis.run_item AS i SET deferred = true
FROM synthesis.run AS r
WHERE r.run_id = i.run_id AND i.run_id = %(run_id)s AND i.outcome IS NULL AND NOT i.deferred AND r.stop_at <= now()
