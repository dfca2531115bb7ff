-- name: count_sample
-- Purpose: how many accepted answers of a run a judge could be asked about. Grain: one row.
SELECT count(*)
FROM synthesis.completion AS c
JOIN synthesis.document AS d ON d.candidate_id = c.candidate_id AND d.content_hash = c.content_hash
WHERE c.run_id = %(run_id)s AND c.is_accepted AND c.summary IS NOT NULL

-- name: insert_agreement
-- Purpose: keep how far a judge agrees with labels. Grain: one criterion.
INSERT INTO synthesis.judge_agreement (judge_key, criterion, labels, cases, unreadable, kappa, auc, threshold)
VALUES (%(judge_key)s, %(criterion)s, %(labels)s, %(cases)s, %(unreadable)s, %(kappa)s, %(auc)s, %(threshold)s)

-- name: insert_score
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

-- name: register_judge
-- Purpose: make a judge known. Grain: one judge.
INSERT INTO synthesis.judge (judge_key, engine, model, model_revision, rubric_digest)
VALUES (%(judge_key)s, %(engine)s, %(model)s, %(model_revision)s, %(rubric_digest)s)
ON CONFLICT (judge_key) DO NOTHING

-- name: select_sample
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

-- name: select_summary
-- Purpose: what may be shown of judges in a run. Grain: one judge and criterion.
SELECT judge_key, engine, model, criterion, asked, scored, status, mean_score, labels, cases, unreadable, kappa, auc
FROM synthesis.judge_summary
WHERE run_id = %(run_id)s
ORDER BY engine, model, judge_key, criterion
