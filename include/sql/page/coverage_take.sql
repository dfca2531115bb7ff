-- Purpose: count the people and what is known about them, for the page, which must not count 475,000 people at each
--   view. Inputs: run_id, whose gate figures and tokens are kept beside. Taking it again replaces the row;
--   a run that never started has none.
-- States: too_thin, a document without enough to ask about; fresh and rejected, the document as it is was answered
--   under the approved release; stale, another document or release was; never, none was. As in plan, completions of
--   runs that do not publish do not count, and of what changed the document's bytes explain it first.
-- Grain: one run.
WITH approved AS (
  SELECT prompt_digest, schema_digest, sampling_digest, model, model_revision
  FROM synthesis.release WHERE state = 'approved'
),
answer AS (
  -- Fingerprints do not hold engine and renderer, so releases that differ in these alone are one.
  SELECT
    r.release_id, r.prompt_digest, r.schema_digest, r.sampling_digest, r.renderer_version,
    coalesce((r.prompt_digest, r.schema_digest, r.sampling_digest, r.model, r.model_revision)
      = (a.prompt_digest, a.schema_digest, a.sampling_digest, a.model, a.model_revision), false) AS is_approved,
    r.prompt_digest IS DISTINCT FROM a.prompt_digest AS other_prompt,
    r.schema_digest IS DISTINCT FROM a.schema_digest AS other_schema,
    r.sampling_digest IS DISTINCT FROM a.sampling_digest AS other_sampling
  FROM synthesis.release AS r LEFT JOIN approved AS a ON true
),
live AS (
  SELECT candidate_id FROM synthesis.candidate WHERE merged_into IS NULL AND retired_at IS NULL
),
done AS (
  -- The answer that counts: one to the document as it is under the approved release, else the newest.
  SELECT DISTINCT ON (c.candidate_id)
    c.candidate_id, c.outcome, c.content_hash, c.created_at, a.is_approved, a.other_prompt, a.other_schema,
    a.other_sampling, a.renderer_version
  FROM synthesis.completion AS c
  JOIN synthesis.run AS r ON r.run_id = c.run_id AND r.publishes
  JOIN answer AS a ON a.release_id = c.release_id
  JOIN synthesis.document AS d ON d.candidate_id = c.candidate_id
  WHERE c.is_terminal
  ORDER BY c.candidate_id, (a.is_approved AND c.content_hash = d.content_hash) DESC, c.created_at DESC
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
judged AS (
  SELECT
    CASE
      WHEN d.candidate_id IS NULL THEN 'never'
      WHEN d.too_thin THEN 'too_thin'
      WHEN n.candidate_id IS NULL THEN 'never'
      WHEN NOT n.is_approved OR n.content_hash <> d.content_hash THEN 'stale'
      WHEN n.outcome = 'rejected' THEN 'rejected'
      ELSE 'fresh'
    END AS state,
    CASE
      WHEN d.candidate_id IS NULL THEN 'no_document'
      WHEN d.too_thin OR n.candidate_id IS NULL THEN NULL
      WHEN n.content_hash <> d.content_hash AND touched.happened_at > n.created_at THEN 'identity_changed'
      WHEN n.content_hash <> d.content_hash AND n.renderer_version <> d.renderer_version
        AND d.source_changed_at <= n.created_at THEN 'renderer_changed'
      WHEN n.content_hash <> d.content_hash THEN 'source_changed'
      WHEN n.is_approved THEN NULL
      WHEN n.other_prompt THEN 'prompt_changed'
      WHEN n.other_schema THEN 'schema_changed'
      WHEN n.other_sampling THEN 'sampling_changed'
      ELSE 'model_changed'
    END AS reason
  FROM live
  LEFT JOIN synthesis.document AS d ON d.candidate_id = live.candidate_id
  LEFT JOIN done AS n ON n.candidate_id = live.candidate_id
  LEFT JOIN touched ON touched.candidate_id = live.candidate_id
),
states AS (
  SELECT state, reason, count(*) AS candidates FROM judged GROUP BY state, reason
),
known AS (
  SELECT s.candidate_id, string_agg(DISTINCT s.source, ' ' ORDER BY s.source) AS sources
  FROM synthesis.candidate_source AS s JOIN live ON live.candidate_id = s.candidate_id
  GROUP BY s.candidate_id
),
sources AS (
  SELECT string_to_array(sources, ' ') AS sources, count(*) AS candidates FROM known GROUP BY known.sources
),
ages AS (
  SELECT b.days, count(s.candidate_id) AS candidates
  FROM (VALUES (0, 1), (1, 7), (7, 30), (30, 90), (90, 365), (365, NULL)) AS b (from_days, days)
  LEFT JOIN synthesis.candidate_synthesis AS s
    ON s.synthesised_at <= now() - make_interval(days => b.from_days)
    AND (b.days IS NULL OR s.synthesised_at > now() - make_interval(days => b.days))
  GROUP BY b.days
),
domains AS (
  SELECT t.domain AS name, count(*) AS candidates
  FROM synthesis.domain_tag AS t JOIN live ON live.candidate_id = t.candidate_id
  GROUP BY t.domain
),
skills AS (
  SELECT skill AS name, count(*) AS candidates
  FROM synthesis.candidate_synthesis AS s CROSS JOIN unnest(s.skills) AS skill
  GROUP BY skill
  ORDER BY candidates DESC, skill
  LIMIT 50
)
INSERT INTO synthesis.coverage
  (run_id, candidates, states, sources, ages, domains, skills, gate, tokens)
SELECT
  %(run_id)s,
  (SELECT count(*) FROM live),
  (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.candidates DESC), '[]') FROM states AS s),
  (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.candidates DESC), '[]') FROM sources AS s),
  (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.days NULLS LAST), '[]') FROM ages AS s),
  (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.candidates DESC, s.name), '[]') FROM domains AS s),
  (SELECT coalesce(jsonb_agg(to_jsonb(s) ORDER BY s.candidates DESC, s.name), '[]') FROM skills AS s),
  %(gate)s,
  %(tokens)s
FROM synthesis.run WHERE run_id = %(run_id)s
ON CONFLICT (run_id) DO UPDATE
SET taken_at = now(), candidates = excluded.candidates, states = excluded.states, sources = excluded.sources,
    ages = excluded.ages, domains = excluded.domains, skills = excluded.skills, gate = excluded.gate,
    tokens = excluded.tokens
