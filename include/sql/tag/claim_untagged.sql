-- Purpose: the people to look at where the rules are the same: those whose jobs changed, and those who left and have
-- tags still. Inputs: untagged, which this empties of what it saw. Fills scope. Grain: one row per candidate.
WITH claimed AS (
  DELETE FROM synthesis.untagged RETURNING candidate_id
)
INSERT INTO scope (candidate_id)
SELECT candidate_id FROM claimed
UNION
SELECT c.candidate_id
FROM synthesis.candidate AS c
WHERE (c.merged_into IS NOT NULL OR c.retired_at IS NOT NULL)
  AND EXISTS (SELECT FROM synthesis.domain_tag AS t WHERE t.candidate_id = c.candidate_id)
