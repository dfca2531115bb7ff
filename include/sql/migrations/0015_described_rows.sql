-- Purpose: hand the identity facts of a row from extract, which has the record in memory, to resolve, which would
-- have to read and parse all of it again for a tenth of what it says.
-- Grain: stated above the table. Applied once, in one transaction, by profiles.storage.migrations.

-- One row per record that extract wrote and resolution has not read yet; the next resolve empties it. Unlogged and safe
-- to lose at any time: what is missing here, or is of another version, resolve derives from the record itself.
CREATE UNLOGGED TABLE synthesis.described_row (
  source           text NOT NULL,
  source_key       text NOT NULL,
  record_hash      text NOT NULL,           -- of the source_record that the facts were derived from
  resolver_version text NOT NULL,
  name             text,
  features         text NOT NULL,           -- as in identity_row
  keys             text NOT NULL            -- all identity keys, one a line: kind, space, value
);
