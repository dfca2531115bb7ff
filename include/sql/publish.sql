-- name: build_next
-- Purpose: the serving table as it should be, as a table beside it, with every index that the serving table has.
--   Becoming the partition of a copy of the serving table makes the indexes: all of them, also those that a team
--   added, built in one go from the rows, which is many times cheaper than adding to them row by row.
-- Inputs: synthesis.publish_change, synthesis.publish_fresh, the serving table. Grain: one row per candidate.
CREATE TABLE synthesis.candidate_synthesis_next (LIKE synthesis.candidate_synthesis INCLUDING ALL EXCLUDING INDEXES);
INSERT INTO synthesis.candidate_synthesis_next (
  candidate_id, full_name, title, employer, place, country, years_of_experience, summary, skills, domains, method, search,
  search_version, model, prompt_version, release_id, fingerprint, content_hash, run_id, synthesised_at)
SELECT
  f.candidate_id, f.full_name, f.title, f.employer, f.place, f.country, f.years_of_experience, f.summary, f.skills,
  f.domains, f.method, f.search, synthesis.search_version(), f.model, f.prompt_version,
  f.release_id, f.fingerprint, f.content_hash, %(run_id)s, f.synthesised_at
FROM synthesis.publish_fresh AS f;
INSERT INTO synthesis.candidate_synthesis_next (
  candidate_id, full_name, title, employer, place, country, years_of_experience, summary, skills, domains, method, search,
  search_version, model, prompt_version, release_id, fingerprint, content_hash, run_id, synthesised_at, published_at)
SELECT
  s.candidate_id, s.full_name, s.title, s.employer, s.place, s.country, s.years_of_experience, s.summary, s.skills,
  s.domains, s.method, s.search, s.search_version, s.model, s.prompt_version,
  s.release_id, s.fingerprint, s.content_hash, s.run_id, s.synthesised_at, s.published_at
FROM synthesis.candidate_synthesis AS s
WHERE NOT EXISTS (SELECT FROM synthesis.publish_change AS c WHERE c.candidate_id = s.candidate_id);
CREATE TABLE synthesis.candidate_synthesis_copy (LIKE synthesis.candidate_synthesis INCLUDING ALL)
PARTITION BY RANGE (candidate_id);
ALTER TABLE synthesis.candidate_synthesis_copy ATTACH PARTITION synthesis.candidate_synthesis_next DEFAULT;
ALTER TABLE synthesis.candidate_synthesis_copy DETACH PARTITION synthesis.candidate_synthesis_next;
DROP TABLE synthesis.candidate_synthesis_copy;
ANALYZE synthesis.candidate_synthesis_next

-- name: count_changes
-- Purpose: how much of the serving table this publish changes, and whether it is built again, because so many rows and
-- so large a share of them change. Inputs: synthesis.publish_change, the catalog. Grain: one row.
-- Not replaceable: a foreign key points at its rows, a trigger wants to see each write, a column is not ours, so that a
-- new table would lose what somebody put there, a view or function reads the table of its rows, or a publication or a logical slot sends its changes to somebody, who
-- would not see those of a new table.
WITH change AS (
  SELECT
    count(*) FILTER (WHERE NOT is_gone) AS changed,
    count(*) FILTER (WHERE is_gone) AS gone,
    count(*) FILTER (WHERE is_new) AS added
  FROM synthesis.publish_change
)
SELECT
  changed,
  gone,
  changed >= %(rebuild_rows)s
  AND changed + gone
    > %(rebuild_share)s * (added - gone + (SELECT count(*) FROM synthesis.candidate_synthesis))
  AND NOT EXISTS (SELECT FROM pg_constraint
              WHERE confrelid IN ('synthesis.candidate_synthesis'::regclass,
                                  'synthesis.candidate_synthesis_rows'::regclass) AND contype = 'f' AND conparentid = 0)
  AND NOT EXISTS (SELECT FROM pg_trigger
                  WHERE tgrelid IN ('synthesis.candidate_synthesis'::regclass,
                                    'synthesis.candidate_synthesis_rows'::regclass) AND NOT tgisinternal)
  AND NOT EXISTS (SELECT FROM pg_depend
                  WHERE refclassid = 'pg_class'::regclass AND classid IN ('pg_rewrite'::regclass, 'pg_proc'::regclass)
                    AND refobjid = 'synthesis.candidate_synthesis_rows'::regclass)
  AND NOT EXISTS (SELECT FROM pg_publication_tables
                  WHERE schemaname = 'synthesis' AND tablename LIKE 'candidate\_synthesis%%')
  AND NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_type = 'logical' AND database = current_database())
  AND (SELECT array_agg(attname::text ORDER BY attname) <@ ARRAY[
         'candidate_id', 'full_name', 'title', 'employer', 'place', 'country', 'years_of_experience', 'search_version', 'summary', 'skills', 'domains', 'method', 'search', 'model',
         'prompt_version', 'release_id', 'fingerprint', 'content_hash', 'run_id', 'synthesised_at', 'published_at']
       FROM pg_attribute
       WHERE attrelid = 'synthesis.candidate_synthesis'::regclass AND attnum > 0 AND NOT attisdropped
      ) AS is_rebuilt
FROM change

-- name: create_fresh
-- Purpose: the rows to write, as view synthesis.publish_fresh; the transaction that makes it drops it. The vector of
--   skills and summary was made when the answer was accepted; what may change without a new answer is added
--   here.
-- Inputs: synthesis.publish_change, the completions. Grain: one row per candidate whose row differs.
CREATE VIEW synthesis.publish_fresh AS
SELECT
  w.candidate_id, w.full_name, w.title, w.employer, w.place, w.country, w.years_of_experience, c.summary,
  synthesis.skill_names(coalesce(c.skills, '[]')) AS skills,
  w.domains, w.method,
  coalesce(c.search_vector, '') || (synthesis.name_vector(w.domains, 'C') || synthesis.fact_vector(w.title, w.employer,
    w.place, w.country, synthesis.skill_names(coalesce(c.skills, '[]')), w.domains)) AS search,
  w.model, w.prompt_version, w.release_id, w.fingerprint, w.content_hash, w.synthesised_at
FROM synthesis.publish_change AS w
LEFT JOIN synthesis.completion AS c
  ON c.candidate_id = w.candidate_id AND c.fingerprint = w.fingerprint AND c.is_accepted
WHERE NOT w.is_gone

-- name: defer_after_window
-- Purpose: what is still open when the window has ended was not lost but deferred. Grain: one row per planned item.
UPDATE synthesis.run_item AS i SET deferred = true
FROM synthesis.run AS r
WHERE r.run_id = i.run_id AND i.run_id = %(run_id)s AND i.outcome IS NULL AND NOT i.deferred AND r.stop_at <= now()

-- name: find_changes
-- Purpose: what the serving table lacks to be as it should, as table synthesis.publish_change: whose row is missing or
--   differs, as it should be, and whose row has to go. It is no temporary table because parallel workers cannot read
--   those; the transaction that makes it drops it.
-- Inputs: the accepted completions of each live person among runs that publish, the person's document and domain tags.
--   The model's text goes before sentences of the document that stand in for one, also when it was made from an older
--   document: content_hash says from which. Then a completion made from the document as it is now goes first, so that a
--   document that went back to an older text gets its summary back. Then the newest counts; one is as new as the moment when the deployment last turned to
--   what it was asked with, so that going back to an older prompt or model brings its summaries back.
--   A rejected document keeps the older accepted summary; a thin one has none, whatever it had before. Nor has a person
--   whom rows have left since, in a split or because they left their table: it may tell of somebody else.
-- Everybody is compared every night, so each table is read once, and of skills only their number goes through the sort.
-- Grain: one row per live candidate that has a document and is thin, has a summary or is served already, whose row
--   differs; and one per candidate that is served and should not be (is_gone).
CREATE UNLOGGED TABLE synthesis.publish_change AS
WITH asked AS (
  -- Fingerprints do not hold engine and renderer, so releases that differ in these alone are one.
  SELECT
    release_id,
    model,
    engine_profile || ' ' || left(prompt_digest, 12) AS prompt_version,
    max(approved_at) OVER (
      PARTITION BY model, model_revision, prompt_digest, schema_digest, sampling_digest
    ) AS approved_at
  FROM synthesis.release
),
answer AS (
  SELECT
    c.candidate_id,
    c.fingerprint,
    c.content_hash,
    c.method,
    a.model,
    a.prompt_version,
    c.release_id,
    c.created_at,
    greatest(c.created_at, a.approved_at) AS counts_from,
    jsonb_array_length(c.skills) AS skill_count
  FROM synthesis.completion AS c
  JOIN synthesis.run AS r ON r.run_id = c.run_id AND r.publishes
  JOIN asked AS a ON a.release_id = c.release_id
  WHERE c.is_accepted
),
lost AS (
  SELECT candidate_id, max(lost_at) AS lost_at
  FROM (
    SELECT candidate_id, happened_at AS lost_at FROM synthesis.identity_event WHERE kind IN ('split', 'moved')
    UNION ALL
    SELECT coalesce(r.current_id, f.candidate_id), f.removed_at
    FROM synthesis.former_source AS f
    LEFT JOIN synthesis.candidate_redirect AS r ON r.candidate_id = f.candidate_id
  ) AS e
  GROUP BY candidate_id
),
chosen AS (
  SELECT DISTINCT ON (d.candidate_id)
    d.candidate_id,
    d.full_name,
    d.title,
    d.employer,
    d.place,
    d.country,
    d.years_of_experience,
    d.too_thin,
    a.method,
    a.model,
    a.prompt_version,
    a.release_id,
    a.fingerprint,
    coalesce(a.content_hash, d.content_hash) AS content_hash,
    a.created_at AS synthesised_at,
    coalesce(a.skill_count, 0) AS skill_count
  FROM synthesis.document AS d
  LEFT JOIN lost AS l ON l.candidate_id = d.candidate_id
  LEFT JOIN answer AS a
    ON a.candidate_id = d.candidate_id AND NOT d.too_thin
    AND (a.content_hash = d.content_hash OR l.lost_at IS NULL OR a.created_at > l.lost_at)
  WHERE NOT EXISTS (
    SELECT FROM synthesis.candidate AS p
    WHERE p.candidate_id = d.candidate_id AND (p.merged_into IS NOT NULL OR p.retired_at IS NOT NULL)
  )
  ORDER BY d.candidate_id, (a.method = 'model') DESC, (a.content_hash = d.content_hash) DESC, a.counts_from DESC, a.created_at DESC
),
tagged AS (
  SELECT candidate_id, array_agg(domain ORDER BY weight DESC, domain) AS domains
  FROM synthesis.domain_tag
  GROUP BY candidate_id
)
SELECT
  coalesce(w.candidate_id, s.candidate_id) AS candidate_id,
  w.full_name,
  w.title,
  w.employer,
  w.place,
  w.country,
  w.years_of_experience,
  coalesce(t.domains, '{}') AS domains,
  w.method,
  w.model,
  w.prompt_version,
  w.release_id,
  w.fingerprint,
  w.content_hash,
  w.synthesised_at,
  s.candidate_id IS NULL AS is_new,
  w.candidate_id IS NULL AS is_gone
FROM chosen AS w
LEFT JOIN tagged AS t ON t.candidate_id = w.candidate_id
FULL JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = w.candidate_id
WHERE CASE
  WHEN w.candidate_id IS NULL THEN true
  WHEN s.candidate_id IS NULL THEN w.fingerprint IS NOT NULL OR w.too_thin
  -- Summary and skills belong to the completion, so that its identity tells for them.
  ELSE cardinality(s.skills) <> w.skill_count
    OR (s.search_version, s.full_name, s.title, s.employer, s.place, s.country, s.years_of_experience, s.domains,
        s.method, s.model, s.prompt_version, s.release_id, s.fingerprint, s.content_hash, s.synthesised_at)
       IS DISTINCT FROM
       (synthesis.search_version(), w.full_name, w.title, w.employer, w.place, w.country, w.years_of_experience,
        coalesce(t.domains, '{}'), w.method, w.model, w.prompt_version, w.release_id, w.fingerprint,
        w.content_hash, w.synthesised_at)
END

-- name: mark_published
-- Purpose: note on the run what it put into the serving table, over all its publishes: clearing a lane publishes
-- again and must not make the first one look as if it had done nothing. Grain: one run.
UPDATE synthesis.run
SET
  published_at = now(),
  published = (SELECT count(*) FROM synthesis.candidate_synthesis WHERE run_id = %(run_id)s),
  withdrawn = coalesce(withdrawn, 0) + %(withdrawn)s
WHERE run_id = %(run_id)s

-- name: set_resources
-- Purpose: what this transaction may use of the server. One plan step or index build stays below 256 MB; a hash
-- shared by workers lies in /dev/shm, of which a container has 64 MB; compiling a query takes longer than running it.
-- Grain: one transaction.
SET LOCAL work_mem = '64MB';
SET LOCAL maintenance_work_mem = '256MB';
SET LOCAL enable_parallel_hash = off;
SET LOCAL jit = off

-- name: swap_next
-- Purpose: put the table of build_next in the place of the serving table's rows. Indexes that match are taken over,
-- so nothing is read or built here. Needs the serving table locked. Grain: one table.
ALTER TABLE synthesis.candidate_synthesis DETACH PARTITION synthesis.candidate_synthesis_rows;
DROP TABLE synthesis.candidate_synthesis_rows;
ALTER TABLE synthesis.candidate_synthesis ATTACH PARTITION synthesis.candidate_synthesis_next DEFAULT;
ALTER TABLE synthesis.candidate_synthesis_next RENAME TO candidate_synthesis_rows

-- name: upsert_fresh
-- Purpose: write the changed rows into the serving table, leaving the others alone (each write costs the GIN indexes).
-- Inputs: synthesis.publish_fresh. Grain: one row per candidate written.
INSERT INTO synthesis.candidate_synthesis (
  candidate_id, full_name, title, employer, place, country, years_of_experience, summary, skills, domains, method, search,
  search_version, model, prompt_version, release_id, fingerprint, content_hash, run_id, synthesised_at)
SELECT
  f.candidate_id, f.full_name, f.title, f.employer, f.place, f.country, f.years_of_experience, f.summary, f.skills,
  f.domains, f.method, f.search, synthesis.search_version(), f.model, f.prompt_version,
  f.release_id, f.fingerprint, f.content_hash, %(run_id)s, f.synthesised_at
FROM synthesis.publish_fresh AS f
ON CONFLICT (candidate_id) DO UPDATE SET
  full_name = excluded.full_name, title = excluded.title, employer = excluded.employer, place = excluded.place,
  country = excluded.country, years_of_experience = excluded.years_of_experience,
  search_version = excluded.search_version, summary = excluded.summary, skills = excluded.skills,
  domains = excluded.domains, method = excluded.method, search = excluded.search, model = excluded.model,
  prompt_version = excluded.prompt_version, release_id = excluded.release_id,
  fingerprint = excluded.fingerprint, content_hash = excluded.content_hash, run_id = excluded.run_id,
  synthesised_at = excluded.synthesised_at, published_at = now()

-- name: withdraw_gone
-- Purpose: take people out of the serving table who have no source row left or were merged into another id.
-- Inputs: synthesis.publish_change. Grain: one row per candidate removed.
DELETE FROM synthesis.candidate_synthesis AS s
USING synthesis.publish_change AS g
WHERE g.is_gone AND g.candidate_id = s.candidate_id
