-- name: candidate_by_id
-- Purpose: the person who answers under an id now, as a line of the list. Inputs: candidate_id. Grain: one candidate.
WITH RECURSIVE chain AS (
  SELECT candidate_id, merged_into FROM synthesis.candidate WHERE candidate_id = %(candidate_id)s
  UNION ALL
  SELECT c.candidate_id, c.merged_into FROM chain JOIN synthesis.candidate AS c ON c.candidate_id = chain.merged_into
)
SELECT c.candidate_id, coalesce(d.full_name, s.full_name) AS full_name, coalesce(s.skills, '{}') AS skills,
       coalesce(s.domains, '{}') AS domains, s.method, s.summary IS NOT NULL AS has_summary,
       coalesce(d.too_thin, false) AS too_thin, coalesce(s.content_hash = d.content_hash, false) AS is_current,
       s.synthesised_at
FROM chain AS c
LEFT JOIN synthesis.document AS d USING (candidate_id)
LEFT JOIN synthesis.candidate_synthesis AS s USING (candidate_id)
WHERE c.merged_into IS NULL

-- name: candidate_by_name
-- Purpose: people by the beginnings of words of their name, oldest id first. Inputs: words (of to_tsquery, folded as
--   synthesis.name_words folds), after (last id of the page before), rows.
-- Grain: one candidate that has a document.
SELECT d.candidate_id, d.full_name, coalesce(s.skills, '{}') AS skills, coalesce(s.domains, '{}') AS domains, s.method,
       s.summary IS NOT NULL AS has_summary, d.too_thin,
       coalesce(s.content_hash = d.content_hash, false) AS is_current, s.synthesised_at
FROM synthesis.document AS d
LEFT JOIN synthesis.candidate_synthesis AS s USING (candidate_id)
WHERE synthesis.name_words(d.full_name) @@ to_tsquery('simple', %(words)s)
  AND d.candidate_id > %(after)s
ORDER BY d.candidate_id
LIMIT %(rows)s

-- name: candidate_by_skill
-- Purpose: people who are served with a skill, oldest id first. Inputs: skill (canonical name), after (last id of the
--   page before), rows. Grain: one row of the serving table.
SELECT s.candidate_id, s.full_name, s.skills, s.domains, s.method, s.summary IS NOT NULL AS has_summary,
       coalesce(d.too_thin, false) AS too_thin, coalesce(s.content_hash = d.content_hash, false) AS is_current,
       s.synthesised_at
FROM synthesis.candidate_synthesis AS s
LEFT JOIN synthesis.document AS d USING (candidate_id)
WHERE s.skills @> ARRAY[%(skill)s::text]
  AND s.candidate_id > %(after)s
ORDER BY s.candidate_id
LIMIT %(rows)s

-- name: candidate_decisions
-- Purpose: what people decided about a person's id, newest first. Inputs: candidate_id. Grain: one decision.
SELECT decision_id, kind, candidate_id, other_id, decided_by, decided_at, note, revoked_by, revoked_at, applied_at
FROM synthesis.identity_decision
WHERE candidate_id = %(candidate_id)s OR other_id = %(candidate_id)s
ORDER BY decision_id DESC

-- name: candidate_domains
-- Purpose: the domains of a person, strongest first, with the employers that gave them. Inputs: candidate_id.
-- Grain: one domain.
SELECT domain, months, weight, employers FROM synthesis.domain_tag
WHERE candidate_id = %(candidate_id)s
ORDER BY weight DESC, domain

-- name: candidate_erased
-- Purpose: whether an id was erased, and when. Inputs: candidate_id. Grain: one erasure.
SELECT erasure_id, erased_at FROM synthesis.erasure_log WHERE %(candidate_id)s = ANY (candidate_ids)

-- name: candidate_events
-- Purpose: what happened to a person's id, newest first. Inputs: candidate_id, rows. Grain: one event.
SELECT run_id, kind, candidate_id, other_id, happened_at
FROM synthesis.identity_event
WHERE candidate_id = %(candidate_id)s OR other_id = %(candidate_id)s
ORDER BY event_id DESC
LIMIT %(rows)s

-- name: candidate_head
-- Purpose: one person: the document and what is served. An id that was merged away is answered by the one that it
--   answers under. Inputs: candidate_id. Grain: one candidate.
WITH RECURSIVE chain AS (
  SELECT candidate_id, merged_into FROM synthesis.candidate WHERE candidate_id = %(candidate_id)s
  UNION ALL
  SELECT c.candidate_id, c.merged_into FROM chain JOIN synthesis.candidate AS c ON c.candidate_id = chain.merged_into
),
absorbed AS (
  SELECT a.candidate_id FROM synthesis.candidate AS a JOIN chain ON a.merged_into = chain.candidate_id
  WHERE chain.merged_into IS NULL
  UNION ALL
  SELECT a.candidate_id FROM absorbed JOIN synthesis.candidate AS a ON a.merged_into = absorbed.candidate_id
)
SELECT
  c.candidate_id, c.created_at, c.retired_at,
  ARRAY(SELECT candidate_id FROM absorbed ORDER BY candidate_id) AS absorbed,
  coalesce(d.full_name, s.full_name) AS full_name, d.markdown, d.content_hash, d.word_count, d.token_estimate,
  d.too_thin, d.as_of, d.choices, d.trimmed, d.rendered_at, d.changed_at,
  s.candidate_id IS NOT NULL AS is_served, s.summary, s.skills, s.domains, s.method, s.model, s.prompt_version,
  s.release_id, s.fingerprint, s.content_hash AS served_hash, s.run_id, s.synthesised_at, s.published_at,
  (SELECT release_id FROM synthesis.release WHERE state = 'approved') AS approved_release
FROM synthesis.candidate AS c
JOIN chain ON chain.candidate_id = c.candidate_id AND chain.merged_into IS NULL
LEFT JOIN synthesis.document AS d ON d.candidate_id = c.candidate_id
LEFT JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = c.candidate_id

-- name: candidate_planned
-- Purpose: the runs that go on and have a person's document open. Inputs: candidate_id. Grain: one run.
SELECT i.run_id, i.reason, i.deferred
FROM synthesis.run_item AS i
JOIN synthesis.run AS r USING (run_id)
WHERE i.candidate_id = %(candidate_id)s AND i.outcome IS NULL AND r.state = 'running'

-- name: candidate_reader_text
-- Purpose: where the rows of a person address a reader, which the document leaves out. Inputs: candidate_id.
-- Grain: one source row and field.
SELECT t.source, t.source_key, t.field, t.cuts, t.found_at
FROM synthesis.candidate_source AS s
JOIN synthesis.reader_text AS t USING (source, source_key)
WHERE s.candidate_id = %(candidate_id)s
ORDER BY t.source, t.source_key, t.field

-- name: candidate_sources
-- Purpose: the source rows of a person side by side, newest first. Inputs: candidate_id, rows. Grain: one source row.
SELECT row_id, source, source_key, rule, evidence, own_id, assigned_at, observed_at, extracted_at, full_name, headline,
       location, country, industry, years_experience, summary_characters, positions, education, skills, certifications,
       languages
FROM synthesis.page_row
WHERE candidate_id = %(candidate_id)s
ORDER BY observed_at DESC NULLS LAST, source, source_key
LIMIT %(rows)s

-- name: candidate_versions
-- Purpose: what was ever answered about a person, newest first, refused answers too. Inputs: candidate_id, rows.
-- Grain: one attempt.
SELECT
  c.fingerprint, c.attempt_id, c.run_id, c.created_at, c.outcome, c.reason, c.method, c.summary, c.skills,
  c.inferred_skills, c.checks, c.removed, c.supported, c.claims, c.is_accepted, c.is_terminal, c.retried_at, c.content_hash, c.finish_reason,
  c.prompt_tokens, c.completion_tokens, c.seconds, c.release_id, r.model, r.engine_profile,
  left(r.prompt_digest, 12) AS prompt, coalesce(n.publishes, true) AS publishes,
  -- Fingerprints do not hold engine and renderer, so releases that differ in these alone are one.
  coalesce((r.prompt_digest, r.schema_digest, r.sampling_digest, r.model, r.model_revision)
    = (a.prompt_digest, a.schema_digest, a.sampling_digest, a.model, a.model_revision), false) AS is_approved
FROM synthesis.completion AS c
LEFT JOIN synthesis.release AS r USING (release_id)
LEFT JOIN synthesis.run AS n USING (run_id)
LEFT JOIN synthesis.release AS a ON a.state = 'approved'
WHERE c.candidate_id = %(candidate_id)s
ORDER BY c.created_at DESC, c.attempt_id DESC
LIMIT %(rows)s

-- name: coverage_history
-- Purpose: gate verdicts and tokens of the last runs, oldest first. Inputs: runs. Grain: one row per run that reported.
SELECT c.run_id, r.started_at, c.gate, c.tokens
FROM (SELECT run_id, taken_at, gate, tokens FROM synthesis.coverage ORDER BY taken_at DESC LIMIT %(runs)s) AS c
JOIN synthesis.run AS r ON r.run_id = c.run_id
ORDER BY r.started_at

-- name: coverage_latest
-- Purpose: coverage as counted last. Grain: at most one row.
SELECT c.run_id, c.taken_at, c.candidates, c.states, c.sources, c.ages, c.domains, c.skills, now() AS now
FROM synthesis.coverage AS c
ORDER BY c.taken_at DESC
LIMIT 1

-- name: coverage_take
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

-- name: runs_cards
-- Purpose: what each card of a run said last, within two minutes of the newest sample. Grain: one row per lane and card.
SELECT DISTINCT ON (m.lane, m.value ->> 'uuid')
  m.lane, m.value ->> 'uuid' AS uuid, m.value ->> 'name' AS name, m.sampled_at,
  (m.value ->> 'celsius')::int AS celsius,
  (m.value ->> 'watts')::double precision AS watts,
  (m.value ->> 'utilisation')::int AS utilisation,
  (m.value ->> 'memory_used_mb')::bigint AS memory_used_mb,
  (m.value ->> 'memory_total_mb')::bigint AS memory_total_mb,
  m.value -> 'throttle' AS throttle
FROM synthesis.run_metric AS m
WHERE m.run_id = %(run_id)s AND m.kind = 'gpu'
  AND m.sampled_at > (
    SELECT max(n.sampled_at) - interval '2 minutes' FROM synthesis.run_metric AS n
    WHERE n.run_id = %(run_id)s AND n.kind = 'gpu')
ORDER BY m.lane, m.value ->> 'uuid', m.sampled_at DESC

-- name: runs_lanes
-- Purpose: the lanes of a run with what they hold now. Grain: one row per lane.
-- working_seconds: from the first question, load and warm-up left out.
WITH held AS (
  SELECT lane, count(*) AS batches, sum(size) AS documents
  FROM synthesis.batch
  WHERE state = 'leased' AND run_id = %(run_id)s
  GROUP BY lane
)
SELECT
  l.lane, l.state, l.host, l.cards, l.parallelism, l.reason, l.engine, l.model, l.load_seconds, l.warm_up_seconds,
  l.counters, l.gauges, l.started_at, l.heartbeat_at, l.ended_at, l.error,
  coalesce(h.batches, 0) AS leases,
  coalesce(h.documents, 0) AS leased_documents,
  greatest(0, extract(epoch FROM coalesce(l.ended_at, l.heartbeat_at) - l.started_at)::double precision
    - coalesce(l.load_seconds, 0) - coalesce(l.warm_up_seconds, 0)) AS working_seconds
FROM synthesis.lane AS l
LEFT JOIN held AS h ON h.lane = l.lane
WHERE l.run_id = %(run_id)s
ORDER BY l.lane

-- name: runs_list
-- Purpose: runs, newest first, a page at a time. Inputs: before, a run_id that comes before the first wanted or null;
--   limit. The report is left out: it may be large. Grain: one row per run.
SELECT
  r.run_id, CASE WHEN v.again THEN 'running' ELSE r.state END AS state, r.publishes, r.candidates, r.planned, r.published, r.withdrawn, r.started_at, r.ended_at,
  extract(epoch FROM coalesce(r.ended_at, now()) - r.started_at)::double precision AS seconds,
  l.engine, l.model, left(r.error, 300) AS error
FROM synthesis.run AS r
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT FROM synthesis.lane AS w
    WHERE w.run_id = r.run_id AND w.state = 'running' AND w.started_at > r.ended_at
      AND w.heartbeat_at > now() - interval '10 min') AS again
) AS v
LEFT JOIN synthesis.release AS l ON l.release_id = r.release_id
WHERE %(before)s::text IS NULL
   OR (r.started_at, r.run_id) < (SELECT b.started_at, b.run_id FROM synthesis.run AS b WHERE b.run_id = %(before)s::text)
ORDER BY r.started_at DESC, r.run_id DESC
LIMIT %(limit)s

-- name: runs_past_rate
-- Purpose: how many documents a second one lane of the same model and engine ended in the last month: the median.
-- Inputs: engine, model. Grain: one row.
SELECT
  percentile_cont(0.5) WITHIN GROUP (ORDER BY w.documents / w.seconds) AS documents_per_second,
  count(*) AS lanes
FROM (
  SELECT
    (coalesce((l.counters ->> 'valid')::bigint, 0) + coalesce((l.counters ->> 'repaired')::bigint, 0)
      + coalesce((l.counters ->> 'extractive')::bigint, 0) + coalesce((l.counters ->> 'rejected')::bigint, 0)
    )::double precision AS documents,
    extract(epoch FROM l.ended_at - l.started_at)::double precision - coalesce(l.load_seconds, 0)
      - coalesce(l.warm_up_seconds, 0) AS seconds
  FROM synthesis.lane AS l
  JOIN synthesis.run AS r ON r.run_id = l.run_id
  JOIN synthesis.release AS b ON b.release_id = r.release_id
  WHERE l.state = 'succeeded' AND b.engine = %(engine)s AND b.model = %(model)s
    AND l.ended_at > now() - interval '30 days'
) AS w
WHERE w.documents > 0 AND w.seconds > 0

-- name: runs_people
-- Purpose: the people in a bucket of a run, or behind a reason of its gate, each with its last answer and the sentences
--   that were rejected. Of people whom the run did not plan, the present documents tell who is in which bucket.
-- Inputs: run_id; bucket, reason of an answer, or reason of a removed sentence (`removed`), each null for any; after, the
--   last id of the page before; rows. Grain: one candidate.
WITH answered AS (
  SELECT DISTINCT c.candidate_id
  FROM synthesis.completion AS c
  WHERE c.run_id = %(run_id)s AND c.is_terminal AND c.candidate_id > %(after)s
    AND (%(reason)s::text IS NOT NULL OR %(removed)s::text IS NOT NULL)
    AND (%(reason)s::text IS NULL OR coalesce(c.reason, 'unknown') = %(reason)s)
    AND (%(bucket)s::text IS NULL OR c.outcome = %(bucket)s)
    AND (%(removed)s::text IS NULL OR c.removed @> jsonb_build_array(jsonb_build_object('reason', %(removed)s::text)))
),
planned AS (
  SELECT i.candidate_id
  FROM synthesis.run_item AS i
  WHERE i.run_id = %(run_id)s AND i.candidate_id > %(after)s AND %(reason)s::text IS NULL AND %(removed)s::text IS NULL
    AND %(bucket)s::text = coalesce(i.outcome, CASE WHEN i.deferred THEN 'deferred' ELSE 'missing' END)
),
idle AS (
  SELECT d.candidate_id
  FROM synthesis.document AS d
  WHERE %(bucket)s::text IN ('fresh', 'too_thin', 'rejected_before') AND d.candidate_id > %(after)s
    AND %(reason)s::text IS NULL AND %(removed)s::text IS NULL
    AND NOT EXISTS (SELECT FROM synthesis.run_item AS i WHERE i.run_id = %(run_id)s AND i.candidate_id = d.candidate_id)
    AND %(bucket)s::text = CASE
      WHEN d.too_thin THEN 'too_thin'
      WHEN EXISTS (
        SELECT FROM synthesis.completion AS c
        WHERE c.candidate_id = d.candidate_id AND c.is_terminal AND c.outcome = 'rejected'
          AND c.content_hash = d.content_hash
          AND NOT EXISTS (
            SELECT FROM synthesis.completion AS a
            WHERE a.candidate_id = c.candidate_id AND a.fingerprint = c.fingerprint AND a.is_accepted)
      ) THEN 'rejected_before'
      ELSE 'fresh' END
),
people AS (
  SELECT candidate_id FROM answered UNION ALL SELECT candidate_id FROM planned UNION ALL SELECT candidate_id FROM idle
  ORDER BY candidate_id
  LIMIT %(rows)s
)
SELECT p.candidate_id, d.full_name, l.outcome, l.reason, coalesce(l.removed, '[]') AS removed, coalesce(l.checks, '[]') AS checks
FROM people AS p
LEFT JOIN synthesis.document AS d USING (candidate_id)
LEFT JOIN LATERAL (
  SELECT c.outcome, c.reason, c.removed, c.checks
  FROM synthesis.completion AS c
  WHERE c.candidate_id = p.candidate_id AND c.is_terminal
  ORDER BY c.run_id = %(run_id)s DESC, c.created_at DESC
  LIMIT 1
) AS l ON true
ORDER BY p.candidate_id

-- name: runs_recent
-- Purpose: how many documents a run's lanes ended lately. Inputs: run_id; seconds to look back. Grain: one row.
-- measured_seconds: how long the run has been measured, so that a young run is not divided by the whole time.
SELECT
  coalesce(sum((m.value ->> 'done')::bigint) FILTER (
    WHERE m.sampled_at > now() - make_interval(secs => %(seconds)s)), 0) AS documents,
  extract(epoch FROM now() - min(m.sampled_at - make_interval(secs => (m.value ->> 'seconds')::double precision))
  )::double precision AS measured_seconds
FROM synthesis.run_metric AS m
WHERE m.run_id = %(run_id)s AND m.kind = 'batch'

-- name: runs_refused
-- Purpose: last answers of a run that were not simply accepted, by outcome and reason. A refused document that was
--   opened again is no longer among them. Grain: one row per outcome and reason.
SELECT outcome, coalesce(reason, 'unknown') AS reason, count(*) AS documents
FROM synthesis.completion
WHERE run_id = %(run_id)s AND is_terminal AND outcome <> 'valid'
GROUP BY outcome, reason
ORDER BY documents DESC, outcome, reason

-- name: runs_stages
-- Purpose: what each stage of a run did, its parts together, in the order in which they ended.
-- What has begun alone is shown once the run has ended, because it should have by then; it has no peak_mb.
-- counts: summed over parts. Grain: one row per stage.
SELECT
  s.stage, count(*) AS parts, max(s.seconds) AS longest_seconds, max(s.peak_mb) AS peak_mb, max(s.ended_at) AS ended_at,
  string_agg(nullif(concat_ws(': ', nullif(s.part, ''), s.error), ''), '; ' ORDER BY s.part)
    FILTER (WHERE s.error IS NOT NULL) AS error,
  (SELECT coalesce(jsonb_object_agg(t.key, t.total), '{}')
   FROM (
     SELECT c.key, sum(c.value::numeric) AS total
     FROM synthesis.run_stage AS p CROSS JOIN jsonb_each_text(p.counts) AS c
     WHERE p.run_id = %(run_id)s AND p.stage = s.stage AND c.value ~ '^-?[0-9]+(\.[0-9]+)?$'
     GROUP BY c.key
   ) AS t) AS counts
FROM synthesis.run_stage AS s JOIN synthesis.run AS r USING (run_id)
WHERE s.run_id = %(run_id)s AND (s.error IS NULL OR s.peak_mb IS NOT NULL OR r.ended_at IS NOT NULL)
GROUP BY s.stage
ORDER BY max(s.ended_at)

-- name: runs_view
-- Purpose: one run, with those parts of its report that are small; they are null before it reported. A lane that was
--   cleared and works again makes an ended run a running one. Grain: one row.
SELECT
  r.run_id, CASE WHEN v.again THEN 'running' ELSE r.state END AS state, r.publishes, r.params, r.settings, r.release_id,
  r.candidates, r.fresh, r.too_thin, r.planned, r.stop_at, r.started_at, r.planned_at, r.published_at, r.published,
  r.withdrawn, CASE WHEN NOT v.again THEN r.ended_at END AS ended_at, CASE WHEN NOT v.again THEN r.error END AS error,
  r.notice, now() AS now,
  extract(epoch FROM CASE WHEN r.ended_at IS NULL OR v.again THEN now() ELSE r.ended_at END - r.started_at)
    ::double precision AS seconds,
  l.engine, l.model, l.engine_profile,
  r.report -> 'buckets' AS reported_buckets,
  r.report -> 'gate' AS reported_gate,
  r.report -> 'reader_text' AS reported_reader_text,
  r.report -> 'stale' AS reported_stale,
  r.report -> 'gpus' AS reported_cards,
  (r.report ->> 'energy_kwh')::double precision AS energy_kwh
FROM synthesis.run AS r
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT FROM synthesis.lane AS w
    WHERE w.run_id = r.run_id AND w.state = 'running' AND w.started_at > r.ended_at
      AND w.heartbeat_at > now() - interval '10 min') AS again
) AS v
LEFT JOIN synthesis.release AS l ON l.release_id = r.release_id
WHERE r.run_id = %(run_id)s

-- name: search_documents
-- Purpose: the best people for a query in the raw documents, as a search engine without synthesis would find them.
--   Scores are computed for at most `bound` matches. Inputs: words, bound, best.
-- Grain: one candidate, best first; matched is the number of matches, at most bound.
SELECT candidate_id, score, count(*) OVER () AS matched
FROM (
  SELECT v.candidate_id, ts_rank('{1, 0, 0, 0}', v.vector, websearch_to_tsquery('english', %(words)s)) AS score
  FROM synthesis.document_search AS v
  WHERE v.vector @@ websearch_to_tsquery('english', %(words)s)
    AND ts_filter(v.vector, '{d}') @@ websearch_to_tsquery('english', %(words)s)
  LIMIT %(bound)s
) AS m
ORDER BY score DESC, candidate_id
LIMIT %(best)s

-- name: search_documents_within
-- Purpose: search_documents within the people whom the serving table has with a domain or skill. A statement of its
--   own: a join lets the server begin with whichever is rarer, the words or the filter.
-- Inputs: words, domain, skill (null for any), bound, best.
-- Grain: one candidate, best first; matched is the number of matches, at most bound.
SELECT candidate_id, score, count(*) OVER () AS matched
FROM (
  SELECT v.candidate_id, ts_rank('{1, 0, 0, 0}', v.vector, websearch_to_tsquery('english', %(words)s)) AS score
  FROM synthesis.document_search AS v
  JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = v.candidate_id
  WHERE v.vector @@ websearch_to_tsquery('english', %(words)s)
    AND ts_filter(v.vector, '{d}') @@ websearch_to_tsquery('english', %(words)s)
    AND (%(domain)s::text IS NULL OR s.domains @> ARRAY[%(domain)s::text])
    AND (%(skill)s::text IS NULL OR s.skills @> ARRAY[%(skill)s::text])
  LIMIT %(bound)s
) AS m
ORDER BY score DESC, candidate_id
LIMIT %(best)s

-- name: search_query
-- Purpose: how a query is read, and whether any document is indexed. Inputs: words. Grain: one row.
SELECT
  websearch_to_tsquery('english', %(words)s)::text AS terms,
  numnode(websearch_to_tsquery('english', %(words)s)) = 0 AS is_empty,
  EXISTS (SELECT FROM synthesis.document_search) AS has_documents,
  EXISTS (SELECT FROM synthesis.candidate_synthesis) AS has_summaries

-- name: search_shown
-- Purpose: what is shown of people found: the passages that match, in the summary or in the raw document. Matches stand
--   between U+E000 and U+E001, passages between U+E002; the texts lose these characters first. Inputs: words, ids, raw.
-- Grain: one candidate.
WITH marks AS (
  SELECT
    'StartSel=' || U&'\E000' || ', StopSel=' || U&'\E001' || ', FragmentDelimiter=' || U&'\E002' AS ends,
    U&'\E000\E001\E002' AS used
)
SELECT
  i.candidate_id, coalesce(s.full_name, d.full_name) AS full_name, s.domains, s.method,
  ts_headline('english', translate(coalesce(CASE WHEN %(raw)s THEN d.markdown ELSE s.summary END, ''), m.used, ''),
    websearch_to_tsquery('english', %(words)s),
    m.ends || ', MaxFragments=2, MaxWords=30, MinWords=12') AS passages,
  CASE WHEN NOT %(raw)s THEN
    ts_headline('english', translate(array_to_string(s.skills, ' · '), m.used, ''),
      websearch_to_tsquery('english', %(words)s), m.ends || ', HighlightAll=true') END AS skills
FROM unnest(%(ids)s::bigint[]) WITH ORDINALITY AS i (candidate_id, place)
CROSS JOIN marks AS m
LEFT JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = i.candidate_id
LEFT JOIN synthesis.document AS d ON d.candidate_id = i.candidate_id
ORDER BY i.place

-- name: search_summaries
-- Purpose: the best people for a query, by the search that a team's own search calls.
-- Inputs: words, domain, skill (null for any), best. Grain: one candidate, best first; matched is how many were found, at
--   most best.
SELECT candidate_id, score, count(*) OVER () AS matched
FROM synthesis.search_candidates(
  %(words)s, array_remove(ARRAY[%(skill)s::text], NULL), array_remove(ARRAY[%(domain)s::text], NULL), %(best)s)
ORDER BY score DESC, candidate_id
