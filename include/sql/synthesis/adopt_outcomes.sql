-- Purpose: close items whose fingerprint got its terminal outcome in another run after this one was planned.
-- Inputs: the first `size` open items of the run. A run that publishes counts only completions of runs that do.
-- Grain: one row per item closed.
UPDATE synthesis.run_item AS i
SET outcome = done.outcome, ended_at = now()
FROM (
  SELECT head.run_id, head.candidate_id, c.outcome,
         row_number() OVER (PARTITION BY head.candidate_id ORDER BY c.is_accepted DESC, c.created_at DESC) AS n
  FROM (
    SELECT run_id, candidate_id, fingerprint, forced
    FROM synthesis.run_item
    WHERE run_id = %(run_id)s AND outcome IS NULL AND NOT deferred AND batch_id IS NULL
    ORDER BY priority, candidate_id
    LIMIT %(size)s
  ) AS head
  JOIN synthesis.completion AS c
    ON c.candidate_id = head.candidate_id AND c.fingerprint = head.fingerprint AND c.is_terminal
  JOIN synthesis.run AS theirs ON theirs.run_id = c.run_id
  JOIN synthesis.run AS ours ON ours.run_id = head.run_id
  WHERE NOT head.forced AND (theirs.publishes OR NOT ours.publishes)
) AS done
WHERE done.n = 1 AND i.run_id = done.run_id AND i.candidate_id = done.candidate_id
