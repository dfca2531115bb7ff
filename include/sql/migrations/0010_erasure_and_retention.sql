-- Purpose: what erasing a person and dropping old texts leave behind.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.
-- The roles and their rights are in include/sql/roles, applied after every migration.

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
COMMENT ON TABLE synthesis.tombstone IS
  'HMAC-SHA256 of an erased source key or person-unique key. Kind "secret" marks by which secret the others were made.';

-- Null once PROFILES_KEEP_RAW_DAYS have passed.
ALTER TABLE synthesis.completion ALTER COLUMN raw_text DROP NOT NULL;
CREATE INDEX completion_raw_age ON synthesis.completion (created_at) WHERE raw_text IS NOT NULL;
