-- Purpose: let the weight of a name or an employer follow how many of the team's own rows hold it. Filled by the next
-- resolve, whose rules are of a new version.
-- Grain: stated above the table. Applied once, in one transaction, by profiles.storage.migrations.

-- The words of a row's name and its employers, as profiles.resolution.features writes them among the facts.
ALTER TABLE synthesis.identity_row
  ADD COLUMN terms text[] GENERATED ALWAYS AS (
    CASE WHEN features LIKE '[%' THEN string_to_array(features::json ->> 3, E'\t') END
  ) STORED;

-- One row per term that four rows or more hold, and '' for all rows. Safe to lose: the next resolve counts again.
CREATE TABLE synthesis.term_frequency (
  term      text PRIMARY KEY,
  frequency smallint NOT NULL               -- whole part of log2 of the rows
);
