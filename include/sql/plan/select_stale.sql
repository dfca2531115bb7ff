-- Purpose: the documents without a terminal outcome, or all when `force` is set, with what their newest terminal
--   completion was made from. Inputs: temporary table planned_document; a run that publishes counts only completions
--   of runs that do, so that a trial run never makes the night's work look done.
-- Grain: one row per document to plan; the last_* columns are null when there is no completion.
WITH counted AS (
  SELECT theirs.run_id
  FROM synthesis.run AS theirs
  JOIN synthesis.run AS ours ON ours.run_id = %(run_id)s
  WHERE theirs.publishes OR NOT ours.publishes
),
touched AS (
  SELECT candidate_id, max(happened_at) AS happened_at
  FROM (
    SELECT candidate_id, happened_at FROM synthesis.identity_event WHERE kind IN ('merged', 'split', 'moved')
    UNION ALL
    SELECT other_id, happened_at FROM synthesis.identity_event
    WHERE kind IN ('merged', 'split', 'moved') AND other_id IS NOT NULL
  ) AS e
  GROUP BY candidate_id
),
stale AS (
  SELECT p.candidate_id, p.fingerprint, false AS forced
  FROM planned_document AS p
  WHERE NOT EXISTS (
    SELECT 1 FROM synthesis.completion AS c JOIN counted ON counted.run_id = c.run_id
    WHERE c.candidate_id = p.candidate_id AND c.fingerprint = p.fingerprint AND c.is_terminal)
  UNION ALL
  SELECT p.candidate_id, p.fingerprint, true
  FROM planned_document AS p
  WHERE %(force)s AND EXISTS (
    SELECT 1 FROM synthesis.completion AS c JOIN counted ON counted.run_id = c.run_id
    WHERE c.candidate_id = p.candidate_id AND c.fingerprint = p.fingerprint AND c.is_terminal)
)
SELECT
  s.candidate_id, s.fingerprint, s.forced, d.content_hash, d.renderer_version, d.token_estimate,
  last.content_hash AS last_content_hash, last.prompt_digest AS last_prompt_digest,
  last.schema_digest AS last_schema_digest, last.sampling_digest AS last_sampling_digest,
  last.renderer_version AS last_renderer_version, last.created_at AS last_done_at,
  coalesce(touched.happened_at > last.created_at, false) AS identity_changed,
  coalesce(d.source_changed_at > last.created_at, false) AS source_changed,
  EXISTS (
    SELECT FROM synthesis.completion AS c
    WHERE c.candidate_id = s.candidate_id AND c.fingerprint = s.fingerprint AND c.retried_at IS NOT NULL) AS retried
FROM stale AS s
JOIN synthesis.document AS d ON d.candidate_id = s.candidate_id
LEFT JOIN LATERAL (
  SELECT c.content_hash, c.created_at, l.prompt_digest, l.schema_digest, l.sampling_digest, l.renderer_version
  FROM synthesis.completion AS c
  JOIN counted ON counted.run_id = c.run_id
  JOIN synthesis.release AS l ON l.release_id = c.release_id
  WHERE c.candidate_id = s.candidate_id AND c.is_terminal
  ORDER BY c.created_at DESC
  LIMIT 1
) AS last ON true
LEFT JOIN touched ON touched.candidate_id = s.candidate_id
WHERE NOT EXISTS (
  SELECT 1 FROM synthesis.run_item AS kept WHERE kept.run_id = %(run_id)s AND kept.candidate_id = s.candidate_id)
