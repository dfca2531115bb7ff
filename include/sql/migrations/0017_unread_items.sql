-- Purpose: count what a readable row holds and no rule could read: a job that is a number, a skill without a name.
-- Grain: stated above the table. Applied once, in one transaction, by profiles.storage.migrations.

-- One row per source row, list and reason: how many items of the row as last read are in no record. No text of the row.
-- Safe to lose: the next extract of the row counts again.
CREATE TABLE synthesis.unread_item (
  source     text NOT NULL,
  source_key text NOT NULL,
  field      text NOT NULL,                 -- positions, education, skills, certifications, languages, emails or phones
  reason     text NOT NULL,                 -- wrong_type, not_a_list, nothing_read or too_long
  items      integer NOT NULL,
  run_id     text NOT NULL,
  read_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (source, source_key, field, reason)
);
