-- Purpose: the texts of answers that a canary compared, for a person who may read them.
-- Inputs: answers, a JSON array of candidate_id, fingerprint and attempt_id. An erased person's are gone.
-- Grain: one row per answer that is still there.
SELECT c.candidate_id, c.attempt_id, c.summary,
       ARRAY(SELECT k ->> 'name' FROM jsonb_array_elements(c.skills) AS k) AS skills
FROM jsonb_to_recordset(%(answers)s) AS a (candidate_id bigint, fingerprint text, attempt_id text)
JOIN synthesis.completion AS c
  ON c.candidate_id = a.candidate_id AND c.fingerprint = a.fingerprint AND c.attempt_id = a.attempt_id
