-- Purpose: a sample of a run's accepted answers with the documents they were made from, without those that the judge
--   has scored. The answers of which the document supports least go first, and among equals the draw depends on run and
--   person alone. Inputs: run_id, judge_key, size. Grain: one answer.
SELECT c.candidate_id, c.fingerprint, c.attempt_id, d.markdown, c.summary, synthesis.skill_names(c.skills) AS skills
FROM (
  SELECT c.candidate_id, c.fingerprint, c.attempt_id, c.content_hash, c.summary, c.skills
  FROM synthesis.completion AS c
  WHERE c.run_id = %(run_id)s AND c.is_accepted AND c.summary IS NOT NULL
  ORDER BY c.supported::double precision / nullif(c.claims, 0) NULLS LAST, md5(c.run_id || '/judge/' || c.candidate_id)
  LIMIT %(size)s
) AS c
JOIN synthesis.document AS d ON d.candidate_id = c.candidate_id AND d.content_hash = c.content_hash
WHERE NOT EXISTS (
  SELECT FROM synthesis.judge_score AS s
  WHERE s.judge_key = %(judge_key)s
    AND (s.candidate_id, s.fingerprint, s.attempt_id) = (c.candidate_id, c.fingerprint, c.attempt_id))
ORDER BY c.candidate_id
