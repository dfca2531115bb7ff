-- Purpose: where every candidate of a run stands. Grain: one row: the run's totals and each planned bucket.
-- deferred: planned, but the limit or the window's end came first (run_item.deferred); missing: planned and open.
SELECT
  r.candidates, r.fresh, r.rejected_before, r.too_thin, r.planned,
  count(i.candidate_id) FILTER (WHERE i.outcome = 'valid') AS valid,
  count(i.candidate_id) FILTER (WHERE i.outcome = 'repaired') AS repaired,
  count(i.candidate_id) FILTER (WHERE i.outcome = 'extractive') AS extractive,
  count(i.candidate_id) FILTER (WHERE i.outcome = 'rejected') AS rejected,
  count(i.candidate_id) FILTER (WHERE i.outcome IS NULL AND i.deferred) AS deferred,
  count(i.candidate_id) FILTER (WHERE i.outcome IS NULL AND NOT i.deferred) AS missing
FROM synthesis.run AS r
LEFT JOIN synthesis.run_item AS i ON i.run_id = r.run_id
WHERE r.run_id = %(run_id)s
GROUP BY r.run_id
