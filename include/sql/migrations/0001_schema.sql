-- Purpose: everything the pipeline owns, in schema synthesis. Source tables are never touched.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.
-- Replaces: 64930bad424bad4651a82bbcde5cb5ec1af9e41c002099cc585b8d8382e0ef9b
-- Replaces: ba7086f554608636e5e73a432fe2a14155e339b638f17a333e111c5648ce0975
--   The checksums of 0001_schema, 0002_drop_described_row and 0003_weigh_queries, and of an earlier 0001_schema alone, which
--   made the same before version 0.1.0 but for the functions of R01. A database that has them is marked as at this one.
-- The roles and their rights are in include/sql/roles.sql, applied after every migration.
--
-- Order: source rows, identity, documents, releases and runs, answers, domains, serving table and its search, what judges
-- and reviewers said, erasure, what the page reads, settings of storage and replication.

CREATE SCHEMA IF NOT EXISTS synthesis;

-- One row per source row as last read, after parsing. Safe to lose: the next extract reads it again.
CREATE TABLE synthesis.source_record (
  source            text NOT NULL,
  source_key        text NOT NULL,
  change_token      text NOT NULL,          -- mapped updated-at, or xmin where the mapping declares none
  extractor_version text NOT NULL,          -- digest of mapping and parsing rules; a change re-reads the row
  observed_at       timestamptz,
  record_hash       text NOT NULL,          -- of record; an untouched hash needs no new document
  -- profiles.models.SourceRecord, as extract wrote it: nothing asks the database for a member of it, and parsing it into
  -- jsonb took a quarter of the time to store a row.
  record            json NOT NULL,
  extracted_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, source_key)
);

-- One row per source row that could not be read. Safe to lose: the next extract tries again.
CREATE TABLE synthesis.rejected_row (
  source            text NOT NULL,
  source_key        text NOT NULL,
  change_token      text NOT NULL,
  extractor_version text NOT NULL,
  reason            text NOT NULL,
  detail            text NOT NULL,
  run_id            text NOT NULL,
  rejected_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, source_key)
);

-- One row per source row and field with text that addresses a reader, which no document shows. No text of the row.
-- Safe to lose: the next render of the person finds it again.
CREATE TABLE synthesis.reader_text (
  source     text NOT NULL,
  source_key text NOT NULL,
  field      text NOT NULL,
  cuts       integer NOT NULL,              -- sentences or whole fields
  found_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, source_key, field)
);

-- One row per source row as resolution sees it: the facts that decide who it is. Safe to lose together
-- with identity_key, generic_key and identity_edge: the next resolve reads every source_record again and keeps all
-- candidate ids.
CREATE TABLE synthesis.identity_row (
  row_id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source           text NOT NULL,
  source_key       text NOT NULL,
  record_hash      text NOT NULL,           -- of the source_record last resolved; '' before the first time
  resolver_version text NOT NULL,           -- a new version of the rules compares every row again
  name             text,
  features         text NOT NULL,           -- profiles.resolution.features.RowFeatures as JSON
  terms            text[],                  -- of RowIdentity: words of the name and, with an @ before, employers
  UNIQUE (source, source_key)
);

-- One row per normalised identity key of a source row: the blocking index. Rows are looked up by row_id or by key; no row
-- holds a key twice because resolution makes each once, and an index on all three columns would be as large as the table.
CREATE TABLE synthesis.identity_key (
  row_id      bigint NOT NULL,
  kind        text NOT NULL,                -- blocking.KeyKind
  value       text NOT NULL,
  -- What the row says of its jobs at an employer, so that the join that finds pairs leaves out namesakes who contradict
  -- each other.
  title_words bigint,                       -- a bit for each word of the titles; null: says nothing, or another kind of key
  first_start smallint,                     -- first month in which a job there can have begun, since year 0; null: undated
  last_start  smallint                      -- last one
);
-- Sorted by what tells keys apart: the first bytes of a kind are those of two million others.
CREATE INDEX identity_key_value ON synthesis.identity_key (value, kind);
CREATE INDEX identity_key_row ON synthesis.identity_key (row_id);

-- One row per key value that too many people or rows share; it links nobody until it leaves.
CREATE TABLE synthesis.generic_key (
  kind   text NOT NULL,
  value  text NOT NULL,
  reason text NOT NULL,                     -- names | rows
  PRIMARY KEY (kind, value)
);

-- One row per term that four rows or more hold, and '' for all rows. Safe to lose: the next resolve counts again.
CREATE TABLE synthesis.term_frequency (
  term      text PRIMARY KEY,
  frequency smallint NOT NULL               -- whole part of log2 of the rows
);

-- One row per pair of source rows that are the same person by themselves, with the evidence.
CREATE TABLE synthesis.identity_edge (
  lo      bigint NOT NULL,                  -- identity_row.row_id, lo < hi
  hi      bigint NOT NULL,
  score   real NOT NULL,
  signals json NOT NULL,                    -- [[signal, weight], ...]
  PRIMARY KEY (lo, hi)
);
CREATE INDEX identity_edge_hi ON synthesis.identity_edge (hi);

-- One row per person, for ever. merged_into points a younger id at the older one that absorbed it.
CREATE TABLE synthesis.candidate (
  candidate_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  merged_into  bigint REFERENCES synthesis.candidate,
  created_run  text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  merged_at    timestamptz,
  retired_at   timestamptz                  -- no source row is left
);
CREATE INDEX candidate_merged_into ON synthesis.candidate (merged_into) WHERE merged_into IS NOT NULL;

-- One row per old id that now answers under another one (chains already followed).
CREATE VIEW synthesis.candidate_redirect AS
WITH RECURSIVE chain AS (
  SELECT candidate_id, merged_into FROM synthesis.candidate WHERE merged_into IS NOT NULL
  UNION ALL
  SELECT chain.candidate_id, c.merged_into
  FROM chain JOIN synthesis.candidate AS c ON c.candidate_id = chain.merged_into
  WHERE c.merged_into IS NOT NULL
)
SELECT chain.candidate_id, chain.merged_into AS current_id
FROM chain JOIN synthesis.candidate AS c ON c.candidate_id = chain.merged_into
WHERE c.merged_into IS NULL;

-- One row per source row: which person it belongs to, and by which rule.
CREATE TABLE synthesis.candidate_source (
  source       text NOT NULL,
  source_key   text NOT NULL,
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  rule         text NOT NULL,
  evidence     jsonb NOT NULL DEFAULT '[]',
  assigned_run text NOT NULL,
  assigned_at  timestamptz NOT NULL DEFAULT now(),
  -- The id that the row had before its candidate was merged away; null where it never was. Lets the id come back with its
  -- rows when the merge is undone.
  own_id       bigint REFERENCES synthesis.candidate,
  PRIMARY KEY (source, source_key)
);
CREATE INDEX candidate_source_candidate ON synthesis.candidate_source (candidate_id);

-- One row per source row that vanished: whose it was, so that the same person answers when it returns.
CREATE TABLE synthesis.former_source (
  source       text NOT NULL,
  source_key   text NOT NULL,
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  removed_run  text NOT NULL,
  removed_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, source_key)
);

-- One row per change of identity: merges, splits and moves, so that a wrong one can be undone.
CREATE TABLE synthesis.identity_event (
  event_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id       text NOT NULL,
  kind         text NOT NULL,               -- merged | split | moved | retired | returned
  candidate_id bigint NOT NULL,
  other_id     bigint,
  detail       jsonb NOT NULL DEFAULT '{}',
  happened_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX identity_event_candidate ON synthesis.identity_event (candidate_id);
CREATE INDEX identity_event_other ON synthesis.identity_event (other_id) WHERE other_id IS NOT NULL;

-- One row per human decision about who is who; the next resolve applies it. Never safe to lose.
CREATE TABLE synthesis.identity_decision (
  decision_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind         text NOT NULL CHECK (kind IN ('merge', 'split')),
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,  -- as named when it was decided
  other_id     bigint REFERENCES synthesis.candidate,           -- the second one of a merge
  decided_by   text NOT NULL,
  decided_at   timestamptz NOT NULL DEFAULT now(),
  note         text NOT NULL DEFAULT '',
  revoked_by   text,
  revoked_at   timestamptz,
  applied_at   timestamptz                  -- null: the next resolve applies it, or its revocation
);

-- One row per pair of source rows that a decision holds together or apart. Rows, not candidates, so
-- that a decision outlives every re-run.
CREATE TABLE synthesis.identity_constraint (
  decision_id  bigint NOT NULL REFERENCES synthesis.identity_decision,
  relation     text NOT NULL CHECK (relation IN ('together', 'apart')),
  left_source  text NOT NULL,
  left_key     text NOT NULL,
  right_source text NOT NULL,
  right_key    text NOT NULL,
  PRIMARY KEY (decision_id, left_source, left_key, right_source, right_key)
);

-- One row per person: the text the model reads.
CREATE TABLE synthesis.document (
  candidate_id        bigint PRIMARY KEY REFERENCES synthesis.candidate,
  full_name           text,
  markdown            text NOT NULL,
  content_hash        text NOT NULL,
  input_hash          text NOT NULL,        -- of the record hashes and the membership: unchanged needs no render
  word_count          integer NOT NULL,
  token_estimate      integer NOT NULL,
  renderer_version    text NOT NULL,
  as_of               text,
  choices             jsonb NOT NULL DEFAULT '[]',
  trimmed             text[] NOT NULL DEFAULT '{}',
  too_thin            boolean NOT NULL,
  rendered_at         timestamptz NOT NULL DEFAULT now(),
  changed_at          timestamptz NOT NULL DEFAULT now(),  -- of content_hash
  source_changed_at   timestamptz NOT NULL DEFAULT now(),  -- of the rows behind it or their membership; not of the renderer
  title               text,                 -- of the newest job
  employer            text,
  place               text,                 -- as the records write it
  country             text,                 -- ISO 3166 code
  years_of_experience smallint              -- whole years in which the person had a job
);
-- Names are looked up by the beginning of their words, in small letters and without accents.
CREATE FUNCTION synthesis.name_words(name text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('simple'::regconfig,
  regexp_replace(normalize(lower(coalesce(name, '')), NFKD), U&'[\0300-\036F]', '', 'g'));
CREATE INDEX document_name_words ON synthesis.document USING gin (synthesis.name_words(full_name));

-- One row per job spell after merging, newest first. No foreign key: it would repeat that of the document, which
-- render_profiles stores in the same transaction; erase deletes jobs after documents, so that none stays behind.
CREATE TABLE synthesis.experience (
  candidate_id        bigint NOT NULL,
  n                   integer NOT NULL,
  employer            text,
  employer_key        text,
  company_linkedin_id text,
  company_domain      text,
  title               text,
  start_month         text,
  end_month           text,
  is_current          boolean NOT NULL,
  months              integer,
  sources             text[] NOT NULL DEFAULT '{}',
  PRIMARY KEY (candidate_id, n)
);

-- One row per person and statement that changed jobs of theirs since tag_domains last looked. The triggers below write it,
-- so that no writer of jobs can forget to.
CREATE TABLE synthesis.untagged (candidate_id bigint NOT NULL);

CREATE FUNCTION synthesis.note_untagged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO synthesis.untagged (candidate_id) SELECT DISTINCT candidate_id FROM touched;
  RETURN NULL;
END $$;

CREATE TRIGGER note_added AFTER INSERT ON synthesis.experience
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION synthesis.note_untagged();
CREATE TRIGGER note_changed AFTER UPDATE ON synthesis.experience
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION synthesis.note_untagged();
CREATE TRIGGER note_removed AFTER DELETE ON synthesis.experience
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION synthesis.note_untagged();

-- One row per combination of prompt, schema, model, sampling and renderer.
CREATE TABLE synthesis.release (
  release_id       text PRIMARY KEY,        -- digest of everything below
  state            text NOT NULL CHECK (state IN ('proposed', 'canary', 'approved', 'superseded', 'refused')),
  engine           text NOT NULL,
  model            text NOT NULL,
  model_revision   text NOT NULL,
  engine_profile   text NOT NULL,
  prompt_digest    text NOT NULL,
  schema_digest    text NOT NULL,
  sampling_digest  text NOT NULL,
  renderer_version text NOT NULL,
  prompt           jsonb NOT NULL,          -- file name -> text
  output_schema    jsonb,
  sampling         jsonb NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  approved_at      timestamptz,
  profile          jsonb,                   -- profiles.models.EngineProfile; null: stored before releases were approved
  model_path       text,                    -- where the model lay on the host that registered the release
  is_pinned        boolean NOT NULL DEFAULT false,  -- the revision is PROFILES_MODEL_REVISION, not derived
  decided_at       timestamptz,             -- when it was approved or refused last
  decided_by       text,                    -- who: a user of Airflow or of the machine, or `first release`
  canary           jsonb                    -- ids, counts and gate verdicts of its last canary; no profile text
);
-- One release is approved at a time: the one that was approved last.
CREATE UNIQUE INDEX release_approved ON synthesis.release (state) WHERE state = 'approved';

-- One row per DAG run.
CREATE TABLE synthesis.run (
  run_id          text PRIMARY KEY,
  state           text NOT NULL CHECK (state IN ('running', 'succeeded', 'failed')),
  params          jsonb NOT NULL DEFAULT '{}',
  settings        jsonb NOT NULL DEFAULT '{}',   -- the values that shaped the run, without secrets
  release_id      text REFERENCES synthesis.release,
  publishes       boolean NOT NULL DEFAULT true,
  candidates      bigint,
  fresh           bigint,
  too_thin        bigint,
  planned         bigint,
  stop_at         timestamptz,
  started_at      timestamptz NOT NULL DEFAULT now(),
  planned_at      timestamptz,
  published_at    timestamptz,
  published       bigint,
  withdrawn       bigint,
  ended_at        timestamptz,
  report          jsonb,
  error           text,
  notice          text,                     -- of its plan, such as a release that waits for approval
  rejected_before bigint NOT NULL DEFAULT 0 -- documents that an earlier run rejected as they are; not planned
);
CREATE INDEX run_started ON synthesis.run (started_at, run_id);

-- One row per task outcome of a run: what each stage read, wrote and took.
CREATE TABLE synthesis.run_stage (
  run_id   text NOT NULL REFERENCES synthesis.run,
  stage    text NOT NULL,
  part     text NOT NULL DEFAULT '',        -- source, key range or lane of a mapped task
  counts   jsonb NOT NULL,
  seconds  double precision NOT NULL,
  peak_mb  double precision,
  error    text,                            -- why its last try failed; null once one succeeded
  ended_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (run_id, stage, part)
);

-- One row per lane of a run: one engine on one device.
CREATE TABLE synthesis.lane (
  run_id              text NOT NULL REFERENCES synthesis.run,
  lane                integer NOT NULL,
  state               text NOT NULL CHECK (state IN ('running', 'succeeded', 'failed')),
  host                text NOT NULL,
  pid                 integer NOT NULL,
  cards               text[] NOT NULL DEFAULT '{}',
  parallelism         text,
  reason              text,
  engine              text,
  model               text,
  load_seconds        double precision,
  counters            jsonb NOT NULL DEFAULT '{}',
  started_at          timestamptz NOT NULL DEFAULT now(),
  heartbeat_at        timestamptz NOT NULL DEFAULT now(),
  ended_at            timestamptz,
  error               text,
  warm_up_seconds     double precision,     -- between load and the first request
  gauges              jsonb NOT NULL DEFAULT '{}',  -- the engine's last heartbeat: running, waiting, token_usage
  PRIMARY KEY (run_id, lane)
);

-- One row per lease. batch_id is the fencing token: a taken-over item gets a new, larger one.
CREATE TABLE synthesis.batch (
  batch_id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id            text NOT NULL REFERENCES synthesis.run,
  lane              integer NOT NULL,
  state             text NOT NULL CHECK (state IN ('leased', 'done', 'released', 'expired')),
  size              integer NOT NULL,
  leased_at         timestamptz NOT NULL DEFAULT now(),
  expires_at        timestamptz NOT NULL,
  ended_at          timestamptz,
  prompt_tokens     bigint NOT NULL DEFAULT 0,
  completion_tokens bigint NOT NULL DEFAULT 0,
  cached_tokens     bigint NOT NULL DEFAULT 0
);
CREATE INDEX batch_leased ON synthesis.batch (expires_at) WHERE state = 'leased';
CREATE INDEX batch_run ON synthesis.batch (run_id);

-- One row per planned document of a run. No foreign key to the candidate: plan_synthesis alone adds rows, of candidates
-- that it read in the same transaction and under a lock that erase, which alone deletes candidates, takes as well.
CREATE TABLE synthesis.run_item (
  run_id         text NOT NULL REFERENCES synthesis.run,
  candidate_id   bigint NOT NULL,
  fingerprint    text NOT NULL,
  content_hash   text NOT NULL,
  reason         text NOT NULL,             -- profiles.models.StaleReason
  priority       integer NOT NULL,          -- smaller goes first
  forced         boolean NOT NULL DEFAULT false,
  deferred       boolean NOT NULL DEFAULT false, -- beyond the limit or the window: planned, but not tonight
  engine_deaths  integer NOT NULL DEFAULT 0,     -- how often an engine died with this item in flight
  token_estimate integer NOT NULL,
  batch_id       bigint REFERENCES synthesis.batch,
  outcome        text CHECK (outcome IN ('valid', 'repaired', 'extractive', 'rejected')),
  ended_at       timestamptz,
  died_among     integer NOT NULL DEFAULT 0,     -- how many items were suspected at its last engine death
  PRIMARY KEY (run_id, candidate_id)
);
CREATE INDEX run_item_open ON synthesis.run_item (run_id, priority, candidate_id) WHERE outcome IS NULL;
CREATE INDEX run_item_candidate ON synthesis.run_item (candidate_id);
CREATE INDEX run_item_batch ON synthesis.run_item (batch_id) WHERE batch_id IS NOT NULL;

-- One row per measurement: a batch, an engine heartbeat or a GPU sample.
CREATE TABLE synthesis.run_metric (
  metric_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  run_id     text NOT NULL REFERENCES synthesis.run,
  lane       integer,
  kind       text NOT NULL,
  sampled_at timestamptz NOT NULL DEFAULT now(),
  value      jsonb NOT NULL
);
CREATE INDEX run_metric_run ON synthesis.run_metric (run_id, kind, sampled_at);

-- array_to_string is only STABLE for lack of a promise about element types; for text it is immutable,
-- which a generated column needs.
CREATE FUNCTION synthesis.immutable_join(text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN array_to_string($1, ' ; ');

-- The names of [{name, provenance}], in order. A function of its own because no parallel worker runs a subquery that
-- belongs to a row.
CREATE FUNCTION synthesis.skill_names(skills jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT skill.value ->> 'name'
  FROM jsonb_array_elements(skills) WITH ORDINALITY AS skill
  ORDER BY skill.ordinality);

-- Skills twice, stemmed for queries in English and as written for names that a stemmer bends; then the summary.
CREATE FUNCTION synthesis.answer_vector(skills text[], summary text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN setweight(to_tsvector('english'::regconfig, synthesis.immutable_join(skills)), 'A')
  || setweight(to_tsvector('simple'::regconfig, synthesis.immutable_join(skills)), 'A')
  || setweight(to_tsvector('english'::regconfig, coalesce(summary, '')), 'B');

-- One row per attempt, append-only.
CREATE TABLE synthesis.completion (
  candidate_id      bigint NOT NULL REFERENCES synthesis.candidate,
  fingerprint       text NOT NULL,
  attempt_id        text NOT NULL,          -- batch_id.attempt
  run_id            text NOT NULL,
  batch_id          bigint NOT NULL,
  release_id        text NOT NULL REFERENCES synthesis.release,
  content_hash      text NOT NULL,
  attempt           integer NOT NULL,
  is_terminal       boolean NOT NULL,
  is_accepted       boolean NOT NULL DEFAULT false,
  outcome           text NOT NULL CHECK (outcome IN ('valid', 'repaired', 'extractive', 'rejected')),
  reason            text,
  method            text NOT NULL CHECK (method IN ('model', 'extractive')),
  -- What the model wrote, also when an extractive summary was taken; null once PROFILES_KEEP_RAW_DAYS have passed.
  raw_text          text,
  summary           text,
  skills            jsonb NOT NULL DEFAULT '[]',       -- [{name, provenance}]
  inferred_skills   text[] NOT NULL DEFAULT '{}',
  checks            jsonb NOT NULL DEFAULT '[]',
  finish_reason     text NOT NULL,
  prompt_tokens     integer NOT NULL,
  completion_tokens integer NOT NULL,
  cached_tokens     integer NOT NULL,
  seconds           double precision NOT NULL,
  created_at        timestamptz NOT NULL DEFAULT now(),
  -- Generated, so that it goes with the texts whoever changes or erases them. Null unless accepted.
  search_vector     tsvector GENERATED ALWAYS AS (
    CASE WHEN is_accepted THEN synthesis.answer_vector(synthesis.skill_names(skills), summary) END) STORED,
  retried_at        timestamptz,            -- when a person asked to try it again; is_terminal is false from then on
  removed           jsonb NOT NULL DEFAULT '[]',       -- [{sentence, reason}]; the sentences go with raw_text
  supported         integer NOT NULL DEFAULT 0,        -- of claims: what the document bears out
  claims            integer NOT NULL DEFAULT 0,
  PRIMARY KEY (candidate_id, fingerprint, attempt_id)
);
CREATE UNIQUE INDEX completion_accepted ON synthesis.completion (candidate_id, fingerprint) WHERE is_accepted;
CREATE INDEX completion_run ON synthesis.completion (run_id);
CREATE INDEX completion_terminal ON synthesis.completion (candidate_id, fingerprint) WHERE is_terminal;
CREATE INDEX completion_rejected ON synthesis.completion (candidate_id, fingerprint)
  WHERE is_terminal AND outcome = 'rejected';
-- Only what was not simply accepted: at 475,000 answers a night the whole would be as large as the night.
CREATE INDEX completion_refused ON synthesis.completion (run_id, reason, outcome)
  WHERE is_terminal AND outcome <> 'valid';
CREATE INDEX completion_raw_age ON synthesis.completion (created_at) WHERE raw_text IS NOT NULL;

-- One row per person and business domain. No foreign key, as for run_item: tag_domains alone adds rows.
CREATE TABLE synthesis.domain_tag (
  candidate_id bigint NOT NULL,
  domain       text NOT NULL,
  months       integer NOT NULL,
  weight       double precision NOT NULL,
  employers    text[] NOT NULL,
  PRIMARY KEY (candidate_id, domain)
);

-- One row: what the tags were made by. Another value makes the next tag_domains look at everybody.
CREATE TABLE synthesis.tagged_by (
  digest text NOT NULL                      -- of the industry table, the taxonomy and the rules of tagging
);

-- One row per industry label or company that the taxonomy does not know, with counts.
CREATE TABLE synthesis.unknown_industry (
  kind       text NOT NULL CHECK (kind IN ('label', 'company')),
  value      text NOT NULL,
  candidates integer NOT NULL,
  run_id     text NOT NULL,
  PRIMARY KEY (kind, value)
);

-- The serving table: one row per person that search reads. It is the parent of one partition that holds all rows:
-- readers, views, grants and comments belong to the parent and stay, while a night that changes most profiles exchanges
-- the partition in a moment. `search` is written by publish, which computes it on several cores; a generated column is
-- computed on one.
CREATE TABLE synthesis.candidate_synthesis (
  candidate_id        bigint PRIMARY KEY,
  full_name           text,
  summary             text,                 -- null for a person whose document is too thin for a model call
  skills              text[] NOT NULL DEFAULT '{}',
  domains             text[] NOT NULL DEFAULT '{}',
  method              text CHECK (method IN ('model', 'extractive')),
  search              tsvector,
  model               text,
  prompt_version      text,
  release_id          text,
  fingerprint         text,
  content_hash        text NOT NULL,        -- of the document the summary was made from
  run_id              text NOT NULL,
  synthesised_at      timestamptz,
  published_at        timestamptz NOT NULL DEFAULT now(),
  title               text,
  employer            text,
  place               text,
  country             text,
  years_of_experience smallint,
  search_version      smallint              -- of the rules that made column `search`
) PARTITION BY RANGE (candidate_id);
-- A vector hardly shrinks; trying costs more than writing it.
ALTER TABLE synthesis.candidate_synthesis ALTER COLUMN search SET STORAGE EXTERNAL;
CREATE INDEX candidate_synthesis_search ON synthesis.candidate_synthesis USING gin (search);
CREATE INDEX candidate_synthesis_skills ON synthesis.candidate_synthesis USING gin (skills);
CREATE INDEX candidate_synthesis_domains ON synthesis.candidate_synthesis USING gin (domains);
CREATE TABLE synthesis.candidate_synthesis_rows PARTITION OF synthesis.candidate_synthesis DEFAULT;

-- One row per served person with an answer: its score, beside the serving table. score is null without claims.
CREATE VIEW synthesis.candidate_score AS
SELECT
  s.candidate_id, s.method, c.outcome, c.reason, c.supported, c.claims,
  c.supported::double precision / nullif(c.claims, 0) AS score,
  jsonb_array_length(c.removed) AS removed_sentences,
  s.content_hash = d.content_hash AS is_current
FROM synthesis.candidate_synthesis AS s
JOIN synthesis.completion AS c
  ON c.candidate_id = s.candidate_id AND c.fingerprint = s.fingerprint AND c.is_accepted
LEFT JOIN synthesis.document AS d ON d.candidate_id = s.candidate_id;

-- One row per document: what search reads of the person, its profile among it, made after publishing. Safe to lose.
-- A vector lies in its row where it fits: out of line, finding its parts costs more than all the ranking.
CREATE TABLE synthesis.document_search (
  candidate_id bigint PRIMARY KEY REFERENCES synthesis.document ON DELETE CASCADE,
  content_hash text NOT NULL,               -- of the document that the vector was made from
  vector       tsvector NOT NULL,
  published_at timestamptz                  -- of the profile in the vector; null for none
) WITH (toast_tuple_target = 8160);
CREATE INDEX document_search_vector ON synthesis.document_search USING gin (vector);

-- One row per published profile and embedding model. A plain array, so that no extension is needed; `embedding::vector`
-- is pgvector's, and the task that fills the table indexes it so where the extension is there. Safe to lose.
CREATE TABLE synthesis.candidate_embedding (
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  model        text NOT NULL,
  dimension    integer NOT NULL,
  fingerprint  text NOT NULL,               -- of the text, the model's files and the rule that made the text
  embedding    real[] NOT NULL,             -- of length one
  embedded_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (candidate_id, model),
  CHECK (cardinality(embedding) = dimension)
);

-- Cosine of two vectors of length one, for exact search without pgvector.
CREATE FUNCTION synthesis.similarity(one real[], other real[]) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT sum(pair.x::double precision * pair.y) FROM unnest(one, other) AS pair (x, y));

-- Names that stand beside an answer, such as domains (C). Empty for none.
CREATE FUNCTION synthesis.name_vector(names text[], weight "char") RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN cardinality(names) = 0 THEN ''::tsvector ELSE
  setweight(to_tsvector('english'::regconfig, synthesis.immutable_join(names)), weight)
  || setweight(to_tsvector('simple'::regconfig, synthesis.immutable_join(names)), weight) END;

-- Raise it with every change of synthesis.fact_vector or synthesis.answer_vector: everybody is published again.
CREATE FUNCTION synthesis.search_version() RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN 1::smallint;

-- Letters without accents, small, as profiles.standardization.text.fold writes them; other characters stay.
CREATE FUNCTION synthesis.plain(words text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN octet_length(words) = length(words) THEN lower(words) ELSE
  replace(replace(replace(translate(
    normalize(regexp_replace(normalize(lower(words), NFKD), U&'[\0300-\036F]+', '', 'g'), NFC),
    'łøđıðħŋ', 'lodidhn'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss') END;

-- A lexeme has at most 2046 bytes.
CREATE FUNCTION synthesis.cut_names(names text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT left(name, 200) FROM unnest(names) AS name);

-- What tells skills apart, whatever the case, spaces and hyphens: "Node.js" and "NodeJS" are one, C, C++ and C# are three.
-- All names of a person at once, because one call for each costs a publish more than all its other work. Python's
-- Vocabulary has the same rule; a test compares them over the taxonomy.
CREATE FUNCTION synthesis.skill_keys(names text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT
AS $$
DECLARE
  joined text := E'\x01' || array_to_string(names, E'\x01');
BEGIN
  IF octet_length(joined) > 2000 THEN
    joined := E'\x01' || array_to_string(synthesis.cut_names(names), E'\x01');
  END IF;
  IF octet_length(joined) = length(joined) THEN
    joined := lower(joined);
  ELSE
    joined := translate(synthesis.plain(joined), '’®™©–', '');
  END IF;
  joined := replace(replace(joined, ' and ', '&'), E'\x01.net', E'\x01dotnet');
  -- One replace for each character is ten times as quick as translate with all of them.
  joined := replace(replace(replace(replace(replace(joined, ' ', ''), '-', ''), '.', ''), '/', ''), '_', '');
  joined := replace(replace(replace(replace(replace(joined, ',', ''), ':', ''), '''', ''), '(', ''), ')', '');
  RETURN (string_to_array(joined, E'\x01'))[2:];
END $$;

CREATE FUNCTION synthesis.skill_key(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (synthesis.skill_keys(ARRAY[left(name, 200)]))[1];

-- A lexeme as part of a tsquery's text.
CREATE FUNCTION synthesis.quoted_lexeme(lexeme text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN '''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || '''';

-- What publish adds to the vector of an answer: title (A), employer and place (C), and, without a position, exact names:
-- skills (s:), domains (d:) and country (c:). The text parser would make C of C++ and C#, and nothing of .NET.
CREATE FUNCTION synthesis.fact_vector(
  title text, employer text, place text, country text, skills text[], domains text[]
) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  RETURN setweight(to_tsvector('english'::regconfig, coalesce(title, '')), 'A')
    || setweight(to_tsvector('simple'::regconfig, synthesis.plain(concat_ws(' ; ', employer, place))), 'C')
    || array_to_tsvector(array_remove(
      string_to_array('s:' || nullif(array_to_string(synthesis.skill_keys(skills), E'\x01s:'), ''), E'\x01')
      || string_to_array('d:' || nullif(array_to_string(synthesis.skill_keys(domains), E'\x01d:'), ''), E'\x01')
      || ('c:' || lower(country)), NULL));
END $$;

-- One row per way to write something that a query may name, made by task `report` from the taxonomy and from what is
-- served. Safe to lose: without it each word of a query stands for itself.
CREATE TABLE synthesis.search_name (
  key   text PRIMARY KEY,                   -- synthesis.skill_key of the name
  kind  "char" NOT NULL,                    -- s skill, d domain, c country, l level, x excludes what follows, i ignored,
                                            -- o or, y years
  query tsquery                             -- what it looks for; null for x, i, o, y
);

-- One row per lexeme of a sample of profiles and documents: the share of people that have it. Safe to lose.
CREATE TABLE synthesis.search_term (
  lexeme text PRIMARY KEY,
  share  real NOT NULL
);
CREATE INDEX search_term_share ON synthesis.search_term (share);
CREATE INDEX search_name_prefix ON synthesis.search_name (key text_pattern_ops) WHERE kind = 's';

-- One row per judge: a model asked with one rubric. Another model, revision or rubric is another judge.
CREATE TABLE synthesis.judge (
  judge_key      text PRIMARY KEY,          -- digest of the columns below
  engine         text NOT NULL,
  model          text NOT NULL,
  model_revision text NOT NULL,
  rubric_digest  text NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now()
);

-- One row per measurement of how far a judge agrees with labels on one criterion. No personal data.
CREATE TABLE synthesis.judge_agreement (
  agreement_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  judge_key    text NOT NULL REFERENCES synthesis.judge,
  criterion    text NOT NULL CHECK (criterion IN ('faithfulness', 'completeness', 'usefulness')),
  labels       text NOT NULL,               -- which labels: a digest of the set, or whose
  cases        integer NOT NULL CHECK (cases >= 20),  -- with a readable score; fewer say nothing
  unreadable   integer NOT NULL,            -- cases without a score that fits the rubric
  kappa        double precision,            -- Cohen's, of score >= threshold against the label; null: undefined
  auc          double precision,            -- null: the labels are all alike
  threshold    integer NOT NULL,
  measured_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX judge_agreement_judge ON synthesis.judge_agreement (judge_key, criterion, measured_at);

-- One row per answer that a judge was asked about. Without a score when its answer did not fit the rubric.
CREATE TABLE synthesis.judge_score (
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  fingerprint  text NOT NULL,
  attempt_id   text NOT NULL,
  judge_key    text NOT NULL REFERENCES synthesis.judge,
  run_id       text NOT NULL,
  faithfulness smallint CHECK (faithfulness BETWEEN 1 AND 5),
  completeness smallint CHECK (completeness BETWEEN 1 AND 5),
  usefulness   smallint CHECK (usefulness BETWEEN 1 AND 5),
  scored_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (candidate_id, fingerprint, attempt_id, judge_key),
  CHECK (num_nulls(faithfulness, completeness, usefulness) IN (0, 3))
);
CREATE INDEX judge_score_run ON synthesis.judge_score (run_id);

-- What may be shown of a judge: the mean of a run beside the newest agreement on that criterion, and none without one.
CREATE VIEW synthesis.judge_summary AS
SELECT
  s.run_id, j.judge_key, j.engine, j.model, c.criterion, count(*) AS asked, count(c.score) AS scored,
  CASE WHEN a.agreement_id IS NULL THEN 'no agreement, not shown' ELSE 'shown with its agreement' END AS status,
  CASE WHEN a.agreement_id IS NOT NULL THEN round(avg(c.score), 2)::double precision END AS mean_score,
  a.labels, a.cases, a.unreadable, a.kappa, a.auc, a.measured_at
FROM synthesis.judge_score AS s
JOIN synthesis.judge AS j USING (judge_key)
CROSS JOIN LATERAL (VALUES
  ('faithfulness', s.faithfulness), ('completeness', s.completeness), ('usefulness', s.usefulness)
) AS c (criterion, score)
LEFT JOIN LATERAL (
  SELECT * FROM synthesis.judge_agreement AS g
  WHERE g.judge_key = j.judge_key AND g.criterion = c.criterion
  ORDER BY g.measured_at DESC, g.agreement_id DESC
  LIMIT 1
) AS a ON true
GROUP BY s.run_id, j.judge_key, c.criterion, a.agreement_id, a.labels, a.cases, a.unreadable, a.kappa, a.auc,
  a.measured_at;

-- One row per answer and reviewer: what a person said of it.
CREATE TABLE synthesis.review_label (
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  fingerprint  text NOT NULL,
  attempt_id   text NOT NULL,
  reviewer     text NOT NULL,
  run_id       text NOT NULL,
  is_faithful  boolean NOT NULL,
  is_complete  boolean NOT NULL,
  is_useful    boolean NOT NULL,
  note         text NOT NULL DEFAULT '',
  labelled_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (candidate_id, fingerprint, attempt_id, reviewer)
);
CREATE INDEX review_label_run ON synthesis.review_label (run_id);

-- One row per erased key (HMAC), so that an erased person stays erased.
CREATE TABLE synthesis.tombstone (
  hmac      bytea PRIMARY KEY,
  kind      text NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE synthesis.tombstone IS
  'HMAC-SHA256 of an erased source key or person-unique key. Kind "secret" marks by which secret the others were made.';

-- One row per erasure, without personal data: the ids point at nothing here any more and tell other systems whom to
-- forget.
CREATE TABLE synthesis.erasure_log (
  erasure_id    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  candidate_ids bigint[] NOT NULL,
  erased_by     text NOT NULL,              -- role and operating-system user, not the person erased
  erased_at     timestamptz NOT NULL DEFAULT now(),
  rows_removed  jsonb NOT NULL,             -- table -> number
  tombstones    integer NOT NULL
);

-- One row per run: the people and what is known about them when the run reported. Counts alone, no text of a person.
CREATE TABLE synthesis.coverage (
  run_id     text PRIMARY KEY REFERENCES synthesis.run,
  taken_at   timestamptz NOT NULL DEFAULT now(),
  candidates bigint NOT NULL,               -- live people: neither merged away nor without rows
  states     jsonb NOT NULL,                -- [{state, reason, candidates}]
  sources    jsonb NOT NULL,                -- [{sources, candidates}]: which tables know them together
  ages       jsonb NOT NULL,                -- [{days, candidates}]: served summaries younger than so many days
  domains    jsonb NOT NULL,                -- [{name, candidates}]
  skills     jsonb NOT NULL,                -- [{name, candidates}], the 50 most frequent
  gate       jsonb NOT NULL,                -- last answers of the run by outcome and reason
  tokens     jsonb NOT NULL                 -- of the run: model_calls, prompt, completion, cached
);
CREATE INDEX coverage_taken ON synthesis.coverage (taken_at);

-- One row per source row of a candidate: what it says, without contacts and free text, and the number that names it
-- where its key must not be named. The page's role reads this view and not the tables below it.
CREATE VIEW synthesis.page_row AS
SELECT
  s.candidate_id, i.row_id, s.source, s.source_key, s.rule, s.evidence, s.own_id, s.assigned_at, r.observed_at,
  r.extracted_at,
  r.record ->> 'full_name' AS full_name,
  r.record ->> 'headline' AS headline,
  r.record ->> 'location' AS location,
  r.record ->> 'country' AS country,
  r.record ->> 'industry' AS industry,
  r.record ->> 'years_experience' AS years_experience,
  length(r.record ->> 'summary') AS summary_characters,
  (SELECT coalesce(json_agg(json_build_object(
      'title', p ->> 'title', 'company', p ->> 'company', 'start', p -> 'start', 'end', p -> 'end',
      'is_current', p -> 'is_current')), '[]')
   FROM json_array_elements(r.record -> 'positions') AS p) AS positions,
  (SELECT coalesce(json_agg(json_build_object(
      'school', e ->> 'school', 'degree', e ->> 'degree', 'field', e ->> 'field', 'start', e -> 'start',
      'end', e -> 'end')), '[]')
   FROM json_array_elements(r.record -> 'education') AS e) AS education,
  r.record -> 'skills' AS skills,
  r.record -> 'certifications' AS certifications,
  r.record -> 'languages' AS languages
FROM synthesis.candidate_source AS s
LEFT JOIN synthesis.source_record AS r USING (source, source_key)
LEFT JOIN synthesis.identity_row AS i USING (source, source_key);

-- By default Postgres compresses with pglz: half of the time to store a record or a document, or more. lz4 takes next to
-- none for about the same size, where the server was built with it. Where not, records and documents lie uncompressed:
-- there is one per row or person, and they can be made again. The texts of answers, which are kept and come at the pace of
-- a model, stay compressed.
DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
    ALTER TABLE synthesis.source_record ALTER COLUMN record SET COMPRESSION lz4;
    ALTER TABLE synthesis.document
      ALTER COLUMN markdown SET COMPRESSION lz4,
      ALTER COLUMN choices SET COMPRESSION lz4;
  ELSE
    ALTER TABLE synthesis.source_record ALTER COLUMN record SET STORAGE EXTERNAL;
    ALTER TABLE synthesis.document ALTER COLUMN markdown SET STORAGE EXTERNAL;
  END IF;
END $$;

-- Vectors hardly shrink; trying costs more than writing them.
ALTER TABLE synthesis.completion ALTER COLUMN search_vector SET STORAGE EXTERNAL;
ALTER TABLE synthesis.document_search ALTER COLUMN vector SET STORAGE EXTERNAL;
ALTER TABLE synthesis.candidate_embedding ALTER COLUMN embedding SET STORAGE EXTERNAL;

-- A publication of all tables (change data capture, blue/green upgrades) replicates updates and deletes of every table:
-- those without a primary key, and those that resolve writes without one on a first night, are known by the whole row.
-- Not identity_row, which has its key whenever rows are changed or removed: known by the whole row, it would be refused for
-- its generated column (Postgres 18).
ALTER TABLE synthesis.identity_key REPLICA IDENTITY FULL;
ALTER TABLE synthesis.identity_edge REPLICA IDENTITY FULL;
ALTER TABLE synthesis.candidate_source REPLICA IDENTITY FULL;
ALTER TABLE synthesis.untagged REPLICA IDENTITY FULL;
ALTER TABLE synthesis.tagged_by REPLICA IDENTITY FULL;
