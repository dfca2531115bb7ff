-- Purpose: the documents of a canary, the same every time: by a hash of the candidate's id.
-- Inputs: size. Those with an answer of a run that publishes come first, for there is nothing to compare the others
--   with. Grain: one row per candidate.
SELECT d.candidate_id
FROM synthesis.document AS d
JOIN synthesis.candidate AS p ON p.candidate_id = d.candidate_id AND p.merged_into IS NULL AND p.retired_at IS NULL
WHERE NOT d.too_thin
ORDER BY
  EXISTS (
    SELECT FROM synthesis.completion AS c
    JOIN synthesis.run AS r ON r.run_id = c.run_id AND r.publishes
    WHERE c.candidate_id = d.candidate_id AND c.is_terminal) DESC,
  md5(d.candidate_id::text)
LIMIT %(size)s
