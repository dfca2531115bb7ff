-- name: select_gate
-- Purpose: what people said of answers beside what the gate did. Inputs: run_id, null for all. Grain: one label.
SELECT c.outcome <> 'rejected' AS is_accepted, l.is_faithful
FROM synthesis.review_label AS l
JOIN synthesis.completion AS c USING (candidate_id, fingerprint, attempt_id)
WHERE %(run_id)s::text IS NULL OR l.run_id = %(run_id)s

-- name: select_judged
-- Purpose: what people said of answers beside what one judge scored them. Inputs: judge_key.
-- Grain: one label of an answer that the judge was asked about.
SELECT s.faithfulness, l.is_faithful, s.completeness, l.is_complete, s.usefulness, l.is_useful
FROM synthesis.review_label AS l
JOIN synthesis.judge_score AS s USING (candidate_id, fingerprint, attempt_id)
WHERE s.judge_key = %(judge_key)s

-- name: select_sample
-- Purpose: a random sample of the answers of a run that a person should look at, refused ones too: the last attempt of
--   each person that has a summary, with the document it was made from. The draw depends on run, seed and person alone.
-- Inputs: run_id, seed, size. Grain: one answer.
SELECT n.run_id, n.candidate_id, n.fingerprint, n.attempt_id, d.markdown AS document, n.summary,
  array_to_string(synthesis.skill_names(n.skills), ', ') AS skills
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

-- name: upsert_labels
-- Purpose: keep what a reviewer said of answers that exist; a later sheet of the same reviewer replaces it.
-- Inputs: labels, a list of JSON objects; reviewer. Grain: one answer; returns which.
INSERT INTO synthesis.review_label (
  candidate_id, fingerprint, attempt_id, reviewer, run_id, is_faithful, is_complete, is_useful, note)
SELECT candidate_id, fingerprint, attempt_id, %(reviewer)s, run_id, n.faithful, n.complete, n.useful, n.note
FROM jsonb_to_recordset(%(labels)s) AS n (
  candidate_id bigint, fingerprint text, attempt_id text, run_id text, faithful boolean, complete boolean, useful boolean,
  note text)
JOIN synthesis.completion AS c USING (candidate_id, fingerprint, attempt_id, run_id)
ON CONFLICT (candidate_id, fingerprint, attempt_id, reviewer) DO UPDATE
SET is_faithful = excluded.is_faithful, is_complete = excluded.is_complete, is_useful = excluded.is_useful,
    note = excluded.note, labelled_at = now()
RETURNING candidate_id, fingerprint, attempt_id, run_id
