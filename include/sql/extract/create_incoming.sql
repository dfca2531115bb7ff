-- Purpose: the landing tables of one extract session, emptied at each commit. Grain: one source row.
-- All text, so that rows come by binary COPY.
CREATE TEMP TABLE incoming_record (
  source_key   text NOT NULL,
  change_token text NOT NULL,
  observed_at  text,
  record_hash  text NOT NULL,
  record       text NOT NULL
) ON COMMIT DELETE ROWS;
CREATE TEMP TABLE incoming_rejection (
  source_key   text NOT NULL,
  change_token text NOT NULL,
  reason       text NOT NULL,
  detail       text NOT NULL
) ON COMMIT DELETE ROWS
