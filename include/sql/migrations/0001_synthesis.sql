-- Purpose: everything the pipeline owns, in schema synthesis. Source tables are never touched.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.

CREATE SCHEMA IF NOT EXISTS synthesis;

-- One row per source row as last read, after parsing. Safe to lose: the next extract reads it again.
CREATE TABLE synthesis.source_record (
  source            text NOT NULL,
  source_key        text NOT NULL,
  change_token      text NOT NULL,          -- mapped updated-at, or xmin where the mapping declares none
  extractor_version text NOT NULL,          -- digest of mapping and parsing rules; a change re-reads the row
  observed_at       timestamptz,
  record_hash       text NOT NULL,          -- of record; an untouched hash needs no new document
  record            jsonb NOT NULL,         -- profiles.models.SourceRecord
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

-- One row per source row as resolution sees it: the facts that decide who it is. Safe to lose together
-- with the three tables below: the next resolve reads every source_record again and keeps all candidate ids.
CREATE TABLE synthesis.identity_row (
  row_id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source           text NOT NULL,
  source_key       text NOT NULL,
  record_hash      text NOT NULL,           -- of the source_record last resolved; '' before the first time
  resolver_version text NOT NULL,           -- a new version of the rules compares every row again
  name             text,
  features         text NOT NULL,           -- profiles.resolution.features.RowFeatures as JSON
  UNIQUE (source, source_key)
);

-- One row per normalised identity key of a source row: the blocking index.
CREATE TABLE synthesis.identity_key (
  row_id bigint NOT NULL,
  kind   text NOT NULL,                     -- member_id | linkedin | email | phone | name_employer | career
  value  text NOT NULL,
  PRIMARY KEY (row_id, kind, value)
);
CREATE INDEX identity_key_value ON synthesis.identity_key (kind, value);

-- One row per key value that too many people or rows share; it links nobody until it leaves.
CREATE TABLE synthesis.generic_key (
  kind   text NOT NULL,
  value  text NOT NULL,
  reason text NOT NULL,                     -- names | rows
  PRIMARY KEY (kind, value)
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

-- One row per source row: which person it belongs to, and by which rule.
CREATE TABLE synthesis.candidate_source (
  source       text NOT NULL,
  source_key   text NOT NULL,
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  rule         text NOT NULL,
  evidence     jsonb NOT NULL DEFAULT '[]',
  assigned_run text NOT NULL,
  assigned_at  timestamptz NOT NULL DEFAULT now(),
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

-- One row per person: the text the model reads.
CREATE TABLE synthesis.document (
  candidate_id     bigint PRIMARY KEY REFERENCES synthesis.candidate,
  full_name        text,
  markdown         text NOT NULL,
  content_hash     text NOT NULL,
  input_hash       text NOT NULL,           -- of the record hashes and the membership: unchanged needs no render
  word_count       integer NOT NULL,
  token_estimate   integer NOT NULL,
  renderer_version text NOT NULL,
  as_of            text,
  choices          jsonb NOT NULL DEFAULT '[]',
  trimmed          text[] NOT NULL DEFAULT '{}',
  too_thin         boolean NOT NULL,
  rendered_at      timestamptz NOT NULL DEFAULT now(),
  changed_at       timestamptz NOT NULL DEFAULT now()   -- of content_hash
);

-- One row per job spell after merging, newest first.
CREATE TABLE synthesis.experience (
  candidate_id        bigint NOT NULL REFERENCES synthesis.candidate,
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
CREATE INDEX experience_employer ON synthesis.experience (employer_key);

-- One row per combination of prompt, schema, model, sampling and renderer.
CREATE TABLE synthesis.release (
  release_id      text PRIMARY KEY,         -- digest of everything below
  state           text NOT NULL CHECK (state IN ('proposed', 'canary', 'approved', 'retired')),
  engine          text NOT NULL,
  model           text NOT NULL,
  model_revision  text NOT NULL,
  engine_profile  text NOT NULL,
  prompt_digest   text NOT NULL,
  schema_digest   text NOT NULL,
  sampling_digest text NOT NULL,
  renderer_version text NOT NULL,
  prompt          jsonb NOT NULL,           -- file name -> text
  output_schema   jsonb,
  sampling        jsonb NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  approved_at     timestamptz
);

-- One row per DAG run.
CREATE TABLE synthesis.run (
  run_id     text PRIMARY KEY,
  state      text NOT NULL CHECK (state IN ('running', 'succeeded', 'failed')),
  params     jsonb NOT NULL DEFAULT '{}',
  settings   jsonb NOT NULL DEFAULT '{}',   -- the values that shaped the run, without secrets
  release_id text REFERENCES synthesis.release,
  publishes  boolean NOT NULL DEFAULT true,
  candidates bigint,
  fresh      bigint,
  too_thin   bigint,
  planned    bigint,
  stop_at    timestamptz,
  started_at timestamptz NOT NULL DEFAULT now(),
  planned_at timestamptz,
  published_at timestamptz,
  published  bigint,
  withdrawn  bigint,
  ended_at   timestamptz,
  report     jsonb,
  error      text
);

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
  run_id       text NOT NULL REFERENCES synthesis.run,
  lane         integer NOT NULL,
  state        text NOT NULL CHECK (state IN ('running', 'succeeded', 'failed')),
  host         text NOT NULL,
  pid          integer NOT NULL,
  cards        text[] NOT NULL DEFAULT '{}',
  parallelism  text,
  reason       text,
  engine       text,
  model        text,
  load_seconds double precision,
  counters     jsonb NOT NULL DEFAULT '{}',
  started_at   timestamptz NOT NULL DEFAULT now(),
  heartbeat_at timestamptz NOT NULL DEFAULT now(),
  ended_at     timestamptz,
  error        text,
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

-- One row per planned document of a run.
CREATE TABLE synthesis.run_item (
  run_id       text NOT NULL REFERENCES synthesis.run,
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  fingerprint  text NOT NULL,
  content_hash text NOT NULL,
  reason       text NOT NULL,               -- profiles.models.StaleReason
  priority     integer NOT NULL,            -- smaller goes first
  forced       boolean NOT NULL DEFAULT false,
  deferred     boolean NOT NULL DEFAULT false, -- beyond the limit or the window: planned, but not tonight
  engine_deaths integer NOT NULL DEFAULT 0,    -- how often an engine died with this item in flight
  token_estimate integer NOT NULL,
  batch_id     bigint REFERENCES synthesis.batch,
  outcome      text CHECK (outcome IN ('valid', 'repaired', 'extractive', 'rejected')),
  ended_at     timestamptz,
  PRIMARY KEY (run_id, candidate_id)
);
CREATE INDEX run_item_open ON synthesis.run_item (run_id, priority, candidate_id) WHERE outcome IS NULL;
CREATE INDEX run_item_candidate ON synthesis.run_item (candidate_id);
CREATE INDEX run_item_batch ON synthesis.run_item (batch_id) WHERE batch_id IS NOT NULL;

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
  raw_text          text NOT NULL,          -- what the model wrote, also when an extractive summary was taken
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
  PRIMARY KEY (candidate_id, fingerprint, attempt_id)
);
CREATE UNIQUE INDEX completion_accepted ON synthesis.completion (candidate_id, fingerprint) WHERE is_accepted;
CREATE INDEX completion_run ON synthesis.completion (run_id);
CREATE INDEX completion_terminal ON synthesis.completion (candidate_id, fingerprint) WHERE is_terminal;

-- One row per erased key (HMAC), so that an erased person stays erased.
CREATE TABLE synthesis.tombstone (
  hmac      bytea PRIMARY KEY,
  kind      text NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT now()
);

-- One row per person and business domain.
CREATE TABLE synthesis.domain_tag (
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  domain       text NOT NULL,
  months       integer NOT NULL,
  weight       double precision NOT NULL,
  employers    text[] NOT NULL,
  PRIMARY KEY (candidate_id, domain)
);

-- One row per industry label or company that the taxonomy does not know, with counts.
CREATE TABLE synthesis.unknown_industry (
  kind       text NOT NULL CHECK (kind IN ('label', 'company')),
  value      text NOT NULL,
  candidates integer NOT NULL,
  run_id     text NOT NULL,
  PRIMARY KEY (kind, value)
);

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

-- The serving table: one row per person that search reads.
CREATE TABLE synthesis.candidate_synthesis (
  candidate_id   bigint PRIMARY KEY,
  full_name      text,
  summary        text,                      -- null for a person whose document is too thin for a model call
  skills         text[] NOT NULL DEFAULT '{}',
  domains        text[] NOT NULL DEFAULT '{}',
  method         text CHECK (method IN ('model', 'extractive')),
  -- Skills and domains twice: stemmed for queries in English, and as written for names that a stemmer bends.
  search         tsvector GENERATED ALWAYS AS (
    setweight(to_tsvector('english'::regconfig, synthesis.immutable_join(skills)), 'A')
    || setweight(to_tsvector('simple'::regconfig, synthesis.immutable_join(skills)), 'A')
    || setweight(to_tsvector('english'::regconfig, coalesce(summary, '')), 'B')
    || setweight(to_tsvector('english'::regconfig, synthesis.immutable_join(domains)), 'C')
    || setweight(to_tsvector('simple'::regconfig, synthesis.immutable_join(domains)), 'C')) STORED,
  model          text,
  prompt_version text,
  release_id     text,
  fingerprint    text,
  content_hash   text NOT NULL,             -- of the document the summary was made from
  run_id         text NOT NULL,
  synthesised_at timestamptz,
  published_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX candidate_synthesis_search ON synthesis.candidate_synthesis USING gin (search);
CREATE INDEX candidate_synthesis_skills ON synthesis.candidate_synthesis USING gin (skills);
CREATE INDEX candidate_synthesis_domains ON synthesis.candidate_synthesis USING gin (domains);
