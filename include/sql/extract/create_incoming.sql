-- Purpose: the landing tables of one batch of an extract; a pooler may give the next transaction to another session. Grain: one source row.
-- New rows need none. Records lie here uncompressed, because the table that keeps them compresses, if at all.
CREATE TEMP TABLE incoming_record (
  source_key   text NOT NULL,
  change_token text NOT NULL,
  observed_at  timestamptz,
  record_hash  text NOT NULL,
  record       json NOT NULL
) ON COMMIT DROP;
ALTER TABLE incoming_record ALTER COLUMN record SET STORAGE EXTERNAL;
CREATE TEMP TABLE incoming_token (
  source_key   text NOT NULL,
  change_token text NOT NULL
) ON COMMIT DROP;
CREATE TEMP TABLE incoming_rejection (
  source_key   text NOT NULL,
  change_token text NOT NULL,
  reason       text NOT NULL,
  detail       text NOT NULL
) ON COMMIT DROP
