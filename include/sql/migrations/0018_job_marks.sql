-- Purpose: keep beside a name-and-employer key what the row says of its jobs there, so that the join that finds pairs
-- leaves out namesakes who contradict each other. Filled by the next resolve, whose rules are of a new version.
-- Grain: stated above the table. Applied once, in one transaction, by profiles.storage.migrations.

ALTER TABLE synthesis.identity_key
  ADD COLUMN title_words bigint,            -- a bit for each word of the titles; null: says nothing, or another kind of key
  ADD COLUMN first_start smallint,          -- first month in which a job there can have begun, since year 0; null: undated
  ADD COLUMN last_start  smallint;          -- last one

-- Sorted by what tells keys apart: the first bytes of a kind are those of two million others.
DROP INDEX synthesis.identity_key_value;
CREATE INDEX identity_key_value ON synthesis.identity_key (value, kind);
