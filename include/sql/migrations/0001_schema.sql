-- Purpose: everything the pipeline owns, in schema synthesis. Source tables are never touched.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.
-- Replaces: 64930bad424bad4651a82bbcde5cb5ec1af9e41c002099cc585b8d8382e0ef9b
--   The checksum of 0001_schema, 0002_drop_described_row and 0003_weigh_queries, which made the same before version 0.1.0. A
--   database that has them all is marked as at this one; nothing in it is touched.
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
  -- The words of the name and of its employers, as profiles.resolution.features writes them among the facts.
  terms            text[] GENERATED ALWAYS AS (
    CASE WHEN features LIKE '[%' THEN string_to_array(features::json ->> 3, E'\t') END
  ) STORED,
  UNIQUE (source, source_key)
);

-- One row per normalised identity key of a source row: the blocking index. Rows are looked up by row_id or by key; no row
-- holds a key twice because resolution makes each once, and an index on all three columns would be as large as the table.
CREATE TABLE synthesis.identity_key (
  row_id      bigint NOT NULL,
  kind        text NOT NULL,                -- member_id | linkedin | email | phone | name_employer | career
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
  signals jsonb NOT NULL,                   -- [[signal, weight], ...]
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
  first_batch_seconds double precision,     -- from its lease until its last answer was stored
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
  mean_logprob      real,                   -- of the answer's tokens; null unless the engine profile asks for it
  reasoning_tokens  integer NOT NULL DEFAULT 0,        -- part of completion_tokens
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

-- Names that stand beside an answer: inferred skills (A) or domains (C). Empty for none, which is the usual case.
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

-- The vector of a document (D): names that the text parser would break are m: (mentioned).
CREATE FUNCTION synthesis.document_vector(markdown text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN to_tsvector('english'::regconfig, markdown) || array_to_tsvector(ARRAY(
  SELECT DISTINCT 'm:' || synthesis.skill_key(found[1])
  FROM regexp_matches(markdown, '(?:[[:alnum:]]{1,20}(?:[+#]{1,2}|[./][[:alnum:]]{1,20}[+#]{0,2})|\.[[:alpha:]]{2,20})', 'g') AS found));

-- The vector of document_search: profile, document and one of 64 groups (b:), by which a search for common words takes some
-- people instead of all.
CREATE FUNCTION synthesis.person_vector(candidate_id bigint, profile tsvector, markdown text) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(profile, ''::tsvector) || synthesis.document_vector(markdown)
  || array_to_tsvector(ARRAY['b:' || (hashint8(candidate_id) & 63)]);

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

-- The name of a skill nearest to a word that nobody's text has: one that begins with it and of which it is more than half,
-- else, with pg_trgm, one that differs by little. Null for none.
CREATE FUNCTION synthesis.near_name(word text) RETURNS text
LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET pg_trgm.similarity_threshold = 0.5
AS $$
DECLARE
  found text;
  extension_schema text;
BEGIN
  SELECT n.key INTO found FROM synthesis.search_name AS n
  WHERE n.kind = 's' AND n.key ~>=~ word AND n.key ~<~ (word || U&'\+10FFFF') AND length(word) >= 4
    AND length(n.key) < 2 * length(word)
  ORDER BY length(n.key), n.key LIMIT 1;
  IF found IS NOT NULL THEN
    RETURN found;
  END IF;
  SELECT s.nspname INTO extension_schema
  FROM pg_extension AS e JOIN pg_namespace AS s ON s.oid = e.extnamespace WHERE e.extname = 'pg_trgm';
  IF extension_schema IS NOT NULL THEN
    EXECUTE format(
      'SELECT key FROM synthesis.search_name WHERE kind = ''s'' AND key OPERATOR(%1$I.%%) $1 '
      'ORDER BY %1$I.similarity(key, $1) DESC, key LIMIT 1', extension_schema)
    INTO found USING word;
  END IF;
  RETURN found;
END $$;

-- How a query is read: one row per thing that it asks for, in order. A name of up to four words that search_name knows is
-- one thing, else each word is; "a phrase", -without, "not without", `or` and prefix* work. Two neighbours also count as
-- a phrase, which ranks and is not required.
-- kind: as search_name.kind, or w word, q quoted phrase, p neighbours, n a word of a name of several words (which ranks and is
-- not required), y years (least_years has their number). weight: the rarer it is, the more it counts.
CREATE FUNCTION synthesis.read_query(query text)
RETURNS TABLE (kind "char", words text, is_excluded boolean, query_part tsquery, weight real, least_years smallint)
LANGUAGE plpgsql STABLE
AS $$
#variable_conflict use_column
DECLARE
  tokens text[];
  n integer;
  i integer := 1;
  taken integer;
  name_kinds "char"[];
  name_queries tsquery[];
  name_kind "char";
  made tsquery;
  near text;
  excludes boolean := false;
  joins boolean := false;
  dashed boolean;
  last_word integer := -1;
  level tsquery;
  word text;
  piece text;
  kinds "char"[] := '{}';
  texts text[] := '{}';
  negated boolean[] := '{}';
  parts tsquery[] := '{}';
  years smallint[] := '{}';
  top integer := 0;
  last integer := 0;
BEGIN
  FOR word, dashed IN
    SELECT m[2], m[1] = '-' FROM regexp_matches(left(query, 2000), '(-?)"([^"]+)"', 'g') AS m
  LOOP
    made := phraseto_tsquery('english', word);
    IF numnode(made) > 0 THEN
      top := top + 1;
      kinds[top] := 'q'; texts[top] := word; negated[top] := dashed; parts[top] := made; years[top] := NULL;
    END IF;
  END LOOP;
  SELECT coalesce(array_agg(t.token ORDER BY t.place), '{}') INTO tokens
  FROM (
    SELECT regexp_replace(p.token, '(^[.:’'']+(?![[:alnum:]]))|([.:’'']+$)', '', 'g') AS token, p.place
    FROM regexp_split_to_table(regexp_replace(left(query, 2000), '-?"[^"]*"', ' ', 'g'), '[\s[:cntrl:],;()\[\]{}|“”„«»"!?·•]+')
      WITH ORDINALITY AS p (token, place)
  ) AS t
  WHERE t.token ~ '[[:alnum:]]' AND t.place <= 60;
  n := cardinality(tokens);
  -- What search_name knows of one to four words from each on, at once.
  SELECT array_agg(s.kind ORDER BY k.place), array_agg(s.query ORDER BY k.place) INTO name_kinds, name_queries
  FROM unnest(synthesis.skill_keys(ARRAY(
    SELECT array_to_string(tokens[start : start + size - 1], ' ')
    FROM generate_series(1, n) AS start, generate_series(1, 4) AS size ORDER BY start, size
  ))) WITH ORDINALITY AS k (key, place)
  LEFT JOIN synthesis.search_name AS s ON s.key = k.key;
  WHILE i <= n LOOP
    dashed := tokens[i] ~ '^[-–][[:alnum:].]';
    IF dashed THEN
      tokens[i] := substr(tokens[i], 2);
    END IF;
    taken := least(4, n - i + 1);
    WHILE taken > 1 AND name_kinds[4 * i - 4 + taken] IS NULL LOOP
      taken := taken - 1;
    END LOOP;
    name_kind := name_kinds[4 * i - 4 + taken];
    made := name_queries[4 * i - 4 + taken];
    word := array_to_string(tokens[i : i + taken - 1], ' ');
    IF name_kind = 'c' AND length(word) = 2 AND word = lower(word) AND query <> lower(query) THEN
      name_kind := NULL;  -- "us" among words with capitals is no United States
    END IF;
    IF name_kind = 'x' THEN
      excludes := true;
    ELSIF name_kind = 'o' THEN
      joins := last > 0;
    ELSIF name_kind = 'i' THEN
      NULL;
    ELSIF name_kind IS NULL AND tokens[i] ~ '^\d{1,2}\+?$' AND i < n AND name_kinds[4 * i + 1] = 'y' THEN
      top := top + 1;
      kinds[top] := 'y'; texts[top] := tokens[i] || ' ' || tokens[i + 1]; negated[top] := excludes; parts[top] := NULL;
      years[top] := rtrim(tokens[i], '+')::smallint;
      excludes := false;
      taken := 2;
    ELSE
      level := NULL;
      IF name_kind = 'l' THEN
        -- "Staff Nurse" is no senior one: the word itself is asked for, others of its level in a title only rank.
        level := made;
        name_kind := NULL;
      END IF;
      IF name_kind IS NULL OR name_kind = 'y' THEN
        name_kind := NULL;
        IF word ~ '^[[:alnum:]]{2,}\*$' THEN
          made := to_tsquery('simple', rtrim(synthesis.plain(word), '*') || ':*');
        ELSE
          made := plainto_tsquery('english', word) || plainto_tsquery('simple', synthesis.plain(word));
          IF numnode(plainto_tsquery('english', word)) = 0 THEN
            made := ''::tsquery;
          END IF;
          -- A name that the text parser would break: C++, .NET, TCP/IP.
          IF word ~ '[+#./]' THEN
            made := made || format('%s | %s', synthesis.quoted_lexeme('s:' || synthesis.skill_key(word)),
              synthesis.quoted_lexeme('m:' || synthesis.skill_key(word)))::tsquery;
          END IF;
          IF numnode(made) > 0 AND length(word) >= 4
            AND NOT EXISTS (SELECT FROM synthesis.search_term AS s WHERE s.lexeme = ANY (
              tsvector_to_array(to_tsvector('english', word) || to_tsvector('simple', synthesis.plain(word)))))
            AND NOT EXISTS (SELECT FROM synthesis.document_search AS v WHERE v.vector @@ made)
          THEN
            near := synthesis.near_name(synthesis.skill_key(word));
            IF near IS NOT NULL THEN
              SELECT s.kind, made || s.query INTO name_kind, made FROM synthesis.search_name AS s WHERE s.key = near;
              word := near;
            END IF;
          END IF;
        END IF;
      END IF;
      IF numnode(made) > 0 AND joins THEN
        parts[last] := parts[last] || made;
        texts[last] := texts[last] || ' or ' || word;
        excludes := false;
      ELSIF numnode(made) > 0 THEN
        top := top + 1;
        last := top;
        kinds[top] := coalesce(name_kind, 'w'); texts[top] := word; negated[top] := excludes OR dashed;
        parts[top] := made; years[top] := NULL;
        excludes := false;
        IF NOT negated[last] THEN
          made := phraseto_tsquery('english', tokens[i - 1] || ' ' || tokens[i]);
          IF last_word = i - 1 AND numnode(made) > 1 THEN
            top := top + 1;
            kinds[top] := 'p'; texts[top] := tokens[i - 1] || ' ' || tokens[i]; negated[top] := false;
            parts[top] := made; years[top] := NULL;
          END IF;
          IF numnode(level) > 0 THEN
            top := top + 1;
            kinds[top] := 'l'; texts[top] := word; negated[top] := false; parts[top] := level; years[top] := NULL;
          END IF;
          -- Who has words of a name and not the whole counts too.
          FOREACH piece IN ARRAY CASE WHEN name_kind IN ('s', 'd') AND strpos(word, ' ') > 0
            THEN tsvector_to_array(to_tsvector('english', word)) ELSE '{}' END
          LOOP
            top := top + 1;
            kinds[top] := 'n'; texts[top] := piece; negated[top] := false; years[top] := NULL;
            parts[top] := synthesis.quoted_lexeme(piece)::tsquery;
          END LOOP;
          last_word := i + taken - 1;
        END IF;
      END IF;
      joins := false;
    END IF;
    i := i + taken;
  END LOOP;
  RETURN QUERY
  SELECT t.kind, t.words, t.is_excluded, t.part,
    (0.2 - ln((
      -- The commonest of its alternatives, of which the rarest word decides. Nothing is rarer than what the sample can tell.
      SELECT max(a.share) FROM (
        SELECT min(coalesce(s.share, (SELECT min(share) FROM synthesis.search_term), 0.0005)) AS share
        FROM regexp_split_to_table(t.part::text, ' \| ') WITH ORDINALITY AS o (alternative, place)
        CROSS JOIN LATERAL regexp_matches(o.alternative, '''((?:[^'']|'''')+)''', 'g') AS m
        LEFT JOIN synthesis.search_term AS s ON s.lexeme = m[1]
        GROUP BY o.place) AS a)))::real,
    t.years
  FROM unnest(kinds, texts, negated, parts, years) WITH ORDINALITY
    AS t (kind, words, is_excluded, part, years, place)
  ORDER BY t.place;
END $$;

-- The k best people for a query as a recruiter types it, by words and, with `meaning`, also by vector.
--   query    words, names of skills under any of their spellings, domains, places, years; "a phrase", -without, or, prefix*
--   skills   names of skills that all have to be there, under any spelling
--   domains  of which one has to be there
--   meaning  the vector of the query by the model that made candidate_embedding; who is near gains by it
-- Candidates are taken from the index, those with all that is asked first, then those that lack something, until there are
-- enough; of many that have all, those are scored that a rough rank puts first. So the cost does not grow with the number of
-- matches. It runs as its owner, because it reads vectors of documents; it returns ids alone.
CREATE FUNCTION synthesis.search_candidates(
  query text, skills text[] DEFAULT '{}', domains text[] DEFAULT '{}', k integer DEFAULT 20, meaning real[] DEFAULT NULL
)
RETURNS TABLE (candidate_id bigint, score double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER
SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET work_mem = '16MB' SET jit = off
SET max_parallel_workers_per_gather = 0
AS $$
#variable_conflict use_column
DECLARE
  bound integer := greatest(250, least(2 * k, 2000));
  must tsquery := ''::tsquery;
  banned tsquery := ''::tsquery;
  kinds "char"[];
  parts tsquery[];
  lexemes CONSTANT text := '(''(?:[^'']|'''')+'')(?::(\*?)[ABCD]*)?';
  among_names tsquery[];
  among_places tsquery[];
  in_summary tsquery[];
  weights real[];
  least_years smallint;
  required tsquery[];
  shares double precision[];
  rough tsquery;
  people double precision;
  together double precision;
  texts text[];
  levels text[];
  expected double precision[];
  number integer;
  found bigint[] := '{}';
  by_meaning bigint[] := '{}';
  asked text[];
BEGIN
  SELECT
    coalesce(array_agg(r.kind) FILTER (WHERE is_wanted), '{}'), coalesce(array_agg(r.query_part) FILTER (WHERE is_wanted), '{}'),
    -- The same among skills and title, in domains, employer and place, and in the summary. Exact names have no weight.
    coalesce(array_agg(regexp_replace(r.query_part::text, lexemes, '\1:\2A', 'g')::tsquery) FILTER (WHERE is_wanted), '{}'),
    coalesce(array_agg(regexp_replace(r.query_part::text, lexemes, '\1:\2C', 'g')::tsquery) FILTER (WHERE is_wanted), '{}'),
    coalesce(array_agg(regexp_replace(r.query_part::text, lexemes, '\1:\2B', 'g')::tsquery) FILTER (WHERE is_wanted), '{}'),
    coalesce(array_agg(r.weight) FILTER (WHERE is_wanted), '{}'), max(r.least_years) FILTER (WHERE NOT r.is_excluded),
    coalesce(string_agg('(' || r.query_part::text || ')', '|') FILTER (WHERE r.is_excluded), '')::tsquery
  INTO kinds, parts, among_names, among_places, in_summary, weights, least_years, banned
  FROM (SELECT *, NOT is_excluded AND query_part IS NOT NULL AS is_wanted FROM synthesis.read_query(query)) AS r;
  SELECT coalesce(string_agg('(' || coalesce(
    (SELECT string_agg(m[1], '|') FROM synthesis.search_name AS n,
       regexp_matches(n.query::text, '(''s:(?:[^'']|'''')+'')', 'g') AS m
     WHERE n.key = synthesis.skill_key(s) AND n.kind = 's'),
    synthesis.quoted_lexeme('s:' || synthesis.skill_key(s))) || ')', '&')::tsquery, ''::tsquery)
  INTO must FROM unnest(skills) AS s;
  must := must && coalesce((
    SELECT string_agg(synthesis.quoted_lexeme('d:' || synthesis.skill_key(d)), '|')::tsquery FROM unnest(domains) AS d),
    ''::tsquery);
  -- The rarest first.
  SELECT coalesce(array_agg(t.part ORDER BY t.weight DESC), '{}'), array_agg(exp(0.2 - t.weight) ORDER BY t.weight DESC)
  INTO required, shares
  FROM unnest(kinds, parts, weights) AS t (kind, part, weight) WHERE t.kind NOT IN ('p', 'l', 'n');
  required := required[:8];
  shares := shares[:8];
  number := cardinality(required);
  IF number = 0 AND numnode(must) > 0 THEN
    required := ARRAY[must];
    shares := '{0.01}';
    number := 1;
  END IF;
  rough := (SELECT string_agg('(' || p::text || ')', '|')::tsquery FROM unnest(required) AS p);
  people := (SELECT greatest(c.reltuples, 0) FROM pg_class AS c WHERE c.oid = 'synthesis.document_search'::regclass);
  IF numnode(banned) > 0 THEN
    must := must && !! banned;
  END IF;
  together := (SELECT exp(sum(ln(share))) FROM unnest(shares) AS share);
  -- With all that is asked, with all but one of it, with two of it beginning with the rarest, then with one. Alternatives are
  -- asked apart: the index would read the commonest for all of them.
  texts := ARRAY(SELECT '(' || r::text || ')' FROM unnest(required) AS r);
  levels := ARRAY[array_to_string(texts, '&')];
  expected := ARRAY[together];
  FOR j IN REVERSE CASE WHEN number > 2 THEN number ELSE 0 END .. 1 LOOP
    levels := levels || array_to_string(texts[: j - 1] || texts[j + 1 :], '&');
    expected := expected || together / shares[j];
  END LOOP;
  FOR j IN 1 .. CASE WHEN number > 3 THEN number - 1 ELSE 0 END LOOP
    levels := levels || format('%s & (%s)', texts[j], array_to_string(texts[j + 1 :], '|'));
    expected := expected || shares[j] * least(1, (SELECT sum(share) FROM unnest(shares[j + 1 :]) AS share));
  END LOOP;
  IF number > 1 THEN
    levels := levels || texts;
    expected := expected || shares;
  END IF;
  FOR step IN 1 .. cardinality(levels) LOOP
    EXIT WHEN cardinality(found) >= bound OR number = 0;
    DECLARE
      wanted tsquery := must && levels[step]::tsquery;
      groups integer;
      before integer := cardinality(found);
    BEGIN
      -- Of very many take some groups of people, others for another query.
      groups := ceil(64 * 4 * bound / greatest(people * expected[step], 1));
      IF groups < 32 THEN
        found := found || synthesis.take_candidates(
          wanted && (SELECT string_agg(format('''b:%s''', (hashtext(query) + g) & 63), '|')::tsquery
                     FROM generate_series(1, groups) AS g),
          rough, found, bound - before);
      END IF;
      IF groups >= 32 OR cardinality(found) < bound THEN
        found := found || synthesis.take_candidates(wanted, rough, found, bound - cardinality(found));
      END IF;
    END;
  END LOOP;
  asked := ARRAY(
    SELECT m[1] FROM unnest(parts) AS p, regexp_matches(p::text, '''((?:[^'']|'''')+)''', 'g') AS m);
  IF meaning IS NOT NULL THEN
    by_meaning := synthesis.nearest_candidates(meaning, 200);
  END IF;
  RETURN QUERY
  WITH read AS (
    -- One out of line is fetched once.
    SELECT c.id, c.place, s.years_of_experience AS years, to_tsvector('english'::regconfig, coalesce(s.title, '')) AS title,
      CASE WHEN pg_column_size(v.vector) > 7900 THEN v.vector || ''::tsvector ELSE coalesce(v.vector, '') END AS vector
    FROM (SELECT f.id, m.place FROM (SELECT unnest(found) UNION SELECT unnest(by_meaning)) AS f (id)
          LEFT JOIN unnest(by_meaning) WITH ORDINALITY AS m (id, place) USING (id)) AS c
    JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = c.id
    LEFT JOIN synthesis.document_search AS v ON v.candidate_id = c.id
  ),
  scored AS (
    SELECT t.id, t.place, r.score * CASE WHEN least_years IS NULL OR t.years >= least_years THEN 1 ELSE 0.5 END
      -- The more of the title was asked for, the better: "data engineer" means no data engineering manager first.
      * (1.15 - 0.15 * coalesce(length(ts_delete(t.title, asked))::double precision / nullif(length(t.title), 0), 1)) AS score
    FROM (SELECT *, 0.6 + 0.4 * length(vector) / greatest(avg(length(vector)) OVER (), 1) AS size FROM read) AS t
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(q.weight * h.hit), 0) * (0.2 + coalesce(
          sum(q.weight) FILTER (WHERE q.kind NOT IN ('p', 'l') AND h.hit > 0)
          / nullif(sum(q.weight) FILTER (WHERE q.kind NOT IN ('p', 'l')), 0), 0)) AS score
      FROM unnest(kinds, parts, among_names, among_places, in_summary, weights)
        AS q (kind, part, named, placed, told, weight)
      CROSS JOIN LATERAL (
        SELECT CASE
          WHEN NOT t.vector @@ q.part THEN 0
          WHEN q.kind = 'l' THEN 0.3
          -- ts_rank takes no notice of phrases within alternatives, so a name is there or not.
          WHEN q.kind IN ('s', 'd', 'c') THEN CASE WHEN t.vector @@ q.named THEN 1.1 ELSE 0.4 END
          -- A word counts as in BM25 by how often it is there, and more among skills, in the title and in the summary.
          WHEN q.kind IN ('w', 'n') THEN CASE q.kind WHEN 'n' THEN 0.25 ELSE 1 END * (
            0.35 * 2.2 * f.times / (f.times + 1.2 * t.size)
            + CASE WHEN t.vector @@ q.named THEN 0.8 ELSE 0 END + CASE WHEN t.vector @@ q.placed THEN 0.6 ELSE 0 END
            + CASE WHEN t.vector @@ q.told THEN 0.3 ELSE 0 END)
          ELSE 0.3 + 0.3 * sign(ts_rank('{0, 1, 1, 1}', t.vector, q.part)) + ts_rank('{0, 0.3, 0.3, 1}', t.vector, q.part)
          END AS hit
        FROM (
          -- ts_rank of one word sums 1, 1/4, 1/9, … by 1.645, so that it tells how often the word is there.
          SELECT 1 / (1.645 * (1 - least(0.98, ts_rank('{1, 1, 1, 1}', t.vector, q.part) * (numnode(q.part) + 1) / 2))) - 0.5
            AS times) AS f
      ) AS h
    ) AS r
    WHERE numnode(must) = 0 OR t.vector @@ must
  )
  SELECT p.id, (p.score / greatest((SELECT sum(weight) FROM unnest(weights) AS weight), 1)
    -- Who is near by meaning only gains: places among the nearest say less than words do.
    + coalesce(0.1 * 20 / (20 + p.place), 0))::double precision
  FROM scored AS p
  ORDER BY 2 DESC, 1
  LIMIT k;
END $$;

-- Some people with what is wanted, at most `missing`, without those of `known`; of more those that a rough rank puts first.
CREATE FUNCTION synthesis.take_candidates(wanted tsquery, rough tsquery, known bigint[], missing integer) RETURNS bigint[]
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN ARRAY(
    SELECT m.candidate_id
    FROM (
      SELECT v.candidate_id, v.vector FROM synthesis.document_search AS v
      WHERE v.vector @@ wanted AND v.candidate_id <> ALL (known)
        AND v.published_at IS NOT NULL
      LIMIT 3 * missing) AS m
    ORDER BY ts_rank('{0.2, 0.4, 0.6, 1}', m.vector, rough) DESC, m.candidate_id LIMIT missing);
END $$;

-- The people whose vector is nearest, by pgvector's index where there is one, else by reading every vector of a model with so
-- many dimensions.
CREATE FUNCTION synthesis.nearest_candidates(meaning real[], k integer) RETURNS bigint[]
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  vectors text;
  found bigint[];
  used text;
BEGIN
  SELECT e.model INTO used FROM synthesis.candidate_embedding AS e WHERE e.dimension = cardinality(meaning)
  ORDER BY e.embedded_at DESC LIMIT 1;
  SELECT n.nspname INTO vectors
  FROM pg_extension AS e JOIN pg_namespace AS n ON n.oid = e.extnamespace WHERE e.extname = 'vector';
  IF vectors IS NULL THEN
    RETURN ARRAY(
      SELECT e.candidate_id FROM synthesis.candidate_embedding AS e WHERE e.model = used
      ORDER BY synthesis.similarity(e.embedding, meaning) DESC, e.candidate_id LIMIT k);
  END IF;
  EXECUTE format(
    'SELECT array_agg(candidate_id ORDER BY distance, candidate_id) FROM (SELECT candidate_id, '
    'embedding::%1$I.vector(%2$s) OPERATOR(%1$I.<=>) $1::%1$I.vector(%2$s) AS distance '
    'FROM synthesis.candidate_embedding WHERE model = %3$L ORDER BY distance LIMIT $2) AS near',
    vectors, cardinality(meaning), used)
  INTO found USING meaning, k;
  RETURN coalesce(found, '{}');
END $$;

REVOKE ALL ON FUNCTION synthesis.search_candidates(text, text[], text[], integer, real[]) FROM PUBLIC;

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
