-- Purpose: the runs that go on and have a person's document open. Inputs: candidate_id. Grain: one run.
SELECT i.run_id, i.reason, i.deferred
FROM synthesis.run_item AS i
JOIN synthesis.run AS r USING (run_id)
WHERE i.candidate_id = %(candidate_id)s AND i.outcome IS NULL AND r.state = 'running'
