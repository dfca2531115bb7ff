-- name: compare_canary
-- Purpose: what was answered before and under the release of a canary run, without any text. An answer is better
--   than another where the gate took the model's text of this one alone.
-- Inputs: run_id of the canary. Old: the newest terminal answer of a run that publishes, one to the document as it is
--   before all others. New: the newest terminal answer under the run's release to the document as it is.
-- Grain: one row: documents with an answer, how many became better and worse, sums of each side, and each candidate's
--   answers.
WITH sample AS (
  SELECT d.candidate_id, d.content_hash, r.release_id
  FROM synthesis.run AS r
  CROSS JOIN LATERAL jsonb_array_elements_text(r.params -> 'candidate_ids') AS s (id)
  JOIN synthesis.document AS d ON d.candidate_id = s.id::bigint
  WHERE r.run_id = %(run_id)s
),
old AS (
  SELECT DISTINCT ON (s.candidate_id) 'old' AS side, c.*
  FROM sample AS s
  JOIN synthesis.completion AS c ON c.candidate_id = s.candidate_id AND c.is_terminal AND c.release_id <> s.release_id
  JOIN synthesis.run AS r ON r.run_id = c.run_id AND r.publishes
  ORDER BY s.candidate_id, (c.content_hash = s.content_hash) DESC, c.created_at DESC
),
new AS (
  SELECT DISTINCT ON (s.candidate_id) 'new' AS side, c.*
  FROM sample AS s
  JOIN synthesis.completion AS c
    ON c.candidate_id = s.candidate_id AND c.is_terminal AND c.release_id = s.release_id
   AND c.content_hash = s.content_hash
  ORDER BY s.candidate_id, c.created_at DESC
),
answer AS (
  SELECT
    a.side, a.candidate_id, a.fingerprint, a.attempt_id, a.outcome, a.reason, a.attempt AS attempts, a.completion_tokens,
    coalesce(array_length(regexp_split_to_array(trim(a.summary), '\s+'), 1), 0) AS words,
    jsonb_array_length(a.skills) AS skills,
    ARRAY(
      SELECT k ->> 'name' FROM jsonb_array_elements(a.checks) AS k WHERE NOT (k ->> 'passed')::boolean ORDER BY 1
    ) AS failed_checks,
    a.outcome IN ('valid', 'repaired') AS is_written
  FROM (SELECT * FROM old UNION ALL SELECT * FROM new) AS a
),
side AS (
  SELECT s.name, jsonb_build_object(
    'answers', count(a.side),
    'valid', count(*) FILTER (WHERE a.outcome = 'valid'),
    'repaired', count(*) FILTER (WHERE a.outcome = 'repaired'),
    'extractive', count(*) FILTER (WHERE a.outcome = 'extractive'),
    'rejected', count(*) FILTER (WHERE a.outcome = 'rejected'),
    'refused', (
      SELECT coalesce(jsonb_object_agg(r.reason, r.answers), '{}')
      FROM (SELECT coalesce(reason, outcome) AS reason, count(*) AS answers
            FROM answer WHERE side = s.name AND NOT is_written GROUP BY 1) AS r),
    'mean_words', round(avg(a.words) FILTER (WHERE a.is_written), 1),
    'mean_skills', round(avg(a.skills) FILTER (WHERE a.is_written), 1),
    'mean_output_tokens', round(avg(a.completion_tokens), 1),
    'mean_attempts', round(avg(a.attempts), 1)) AS sums
  FROM (VALUES ('old'), ('new')) AS s (name)
  LEFT JOIN answer AS a ON a.side = s.name
  GROUP BY s.name
)
SELECT
  count(*) AS documents,
  count(*) FILTER (WHERE NOT o.is_written AND n.is_written) AS better,
  count(*) FILTER (WHERE o.is_written AND NOT n.is_written) AS worse,
  (SELECT sums FROM side WHERE name = 'old') AS old,
  (SELECT sums FROM side WHERE name = 'new') AS new,
  coalesce(jsonb_agg(jsonb_build_object(
    'candidate_id', candidate_id,
    'old', to_jsonb(o) - '{side,is_written}'::text[],
    'new', to_jsonb(n) - '{side,is_written}'::text[]) ORDER BY candidate_id), '[]') AS candidates
FROM (SELECT * FROM answer WHERE side = 'old') AS o
FULL JOIN (SELECT * FROM answer WHERE side = 'new') AS n USING (candidate_id)

-- name: decide_release
-- Purpose: note a person's decision. Inputs: state, by; a refused release keeps when it was approved, if it ever was.
-- Grain: one release.
UPDATE synthesis.release
SET state = %(state)s, decided_at = now(), decided_by = %(by)s,
    approved_at = CASE WHEN %(state)s = 'approved' THEN now() ELSE approved_at END
WHERE release_id = %(release_id)s

-- name: find_release
-- Purpose: the releases whose id begins as given. Inputs: prefix. Grain: one row per release.
SELECT release_id, state, engine, model, model_revision, engine_profile, prompt_digest, schema_digest, sampling_digest,
       renderer_version, profile, model_path, is_pinned, created_at, approved_at, decided_at, decided_by, canary
FROM synthesis.release
WHERE starts_with(release_id, %(prefix)s)
ORDER BY release_id

-- name: register_release
-- Purpose: keep what a release_id stands for, and all that is needed to ask under it when the files have changed.
-- Inputs: state, for a release that is new; a known one keeps its own. What no fingerprint holds (attempts, token
--   caps, the model's place) follows the files. Grain: one release.
INSERT INTO synthesis.release (
  release_id, state, engine, model, model_revision, engine_profile, prompt_digest, schema_digest, sampling_digest,
  renderer_version, prompt, output_schema, sampling, profile, model_path, is_pinned)
VALUES (
  %(release_id)s, %(state)s, %(engine)s, %(model)s, %(model_revision)s, %(engine_profile)s, %(prompt_digest)s,
  %(schema_digest)s, %(sampling_digest)s, %(renderer_version)s, %(prompt)s, %(output_schema)s, %(sampling)s,
  %(profile)s, %(model_path)s, %(is_pinned)s)
ON CONFLICT (release_id) DO UPDATE
SET profile = excluded.profile, model_path = excluded.model_path, is_pinned = excluded.is_pinned

-- name: select_answer_texts
-- Purpose: the texts of answers that a canary compared, for a person who may read them.
-- Inputs: answers, a JSON array of candidate_id, fingerprint and attempt_id. An erased person's are gone.
-- Grain: one row per answer that is still there.
SELECT c.candidate_id, c.attempt_id, c.summary,
       ARRAY(SELECT k ->> 'name' FROM jsonb_array_elements(c.skills) AS k) AS skills
FROM jsonb_to_recordset(%(answers)s) AS a (candidate_id bigint, fingerprint text, attempt_id text)
JOIN synthesis.completion AS c
  ON c.candidate_id = a.candidate_id AND c.fingerprint = a.fingerprint AND c.attempt_id = a.attempt_id

-- name: select_approved
-- Purpose: the release that nightly runs ask under. Grain: at most one row.
SELECT release_id, state, engine, model, model_revision, engine_profile, prompt_digest, schema_digest, sampling_digest,
       renderer_version, profile, model_path, is_pinned, created_at, approved_at, decided_at, decided_by, canary
FROM synthesis.release
WHERE state = 'approved'

-- name: select_canary_sample
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

-- name: select_releases
-- Purpose: the releases, newest decision or registration first. Grain: one row per release.
SELECT release_id, state, engine, model, model_revision, engine_profile, prompt_digest, schema_digest, sampling_digest,
       renderer_version, profile, model_path, is_pinned, created_at, approved_at, decided_at, decided_by, canary
FROM synthesis.release
ORDER BY state = 'approved' DESC, coalesce(decided_at, created_at) DESC, release_id

-- name: supersede_approved
-- Purpose: make room for another approved release. Inputs: release_id, the next one. Grain: at most one release.
UPDATE synthesis.release SET state = 'superseded' WHERE state = 'approved' AND release_id <> %(release_id)s
