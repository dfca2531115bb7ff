-- Purpose: keep one verdict, or that there was none. Somebody who was erased meanwhile is left out, and an erasure waits
--   for this statement. Grain: one answer.
INSERT INTO synthesis.judge_score (
  candidate_id, fingerprint, attempt_id, judge_key, run_id, faithfulness, completeness, usefulness)
SELECT c.candidate_id, %(fingerprint)s, %(attempt_id)s, %(judge_key)s, %(run_id)s, %(faithfulness)s, %(completeness)s,
  %(usefulness)s
FROM synthesis.candidate AS c
WHERE c.candidate_id = %(candidate_id)s
FOR KEY SHARE
ON CONFLICT DO NOTHING
