-- Purpose: a random sample of the answers of a run that a person should look at, refused ones too: the last attempt of
--   each person that has a summary, with the document it was made from. The draw depends on run, seed and person alone.
-- Inputs: run_id, seed, size. Grain: one answer.
SELECT n.run_id, n.candidate_id, n.fingerprint, n.attempt_id, d.markdown AS document, n.summary,
  synthesis.skill_names(n.skills) AS skills
FROM (
  SELECT DISTINCT ON (c.candidate_id)
    c.run_id, c.candidate_id, c.fingerprint, c.attempt_id, c.content_hash, c.summary, c.skills
  FROM synthesis.completion AS c
  WHERE c.run_id = %(run_id)s AND c.summary IS NOT NULL
  ORDER BY c.candidate_id, c.is_terminal DESC, c.created_at DESC, c.attempt_id DESC
) AS n
JOIN synthesis.document AS d ON d.candidate_id = n.candidate_id AND d.content_hash = n.content_hash
ORDER BY md5(n.run_id || '/' || %(seed)s::text || '/' || n.candidate_id), n.candidate_id
LIMIT %(size)s
