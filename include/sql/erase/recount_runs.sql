-- Purpose: the sums of runs without the person, so that the buckets of one that goes on still add up.
-- Grain: one run that planned the person.
UPDATE synthesis.run AS r
SET candidates = r.candidates - i.n, planned = r.planned - i.n
FROM (
  SELECT run_id, count(*) AS n FROM synthesis.run_item JOIN erased_candidate USING (candidate_id) GROUP BY run_id
) AS i
WHERE i.run_id = r.run_id
