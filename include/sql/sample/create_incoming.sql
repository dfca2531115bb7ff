-- Purpose: a place to COPY into, so that rows that exist already do not fail the load.
-- Inputs: {table}; gone at the end of the transaction.
-- Grain: one row per source row.
CREATE TEMPORARY TABLE {incoming} (LIKE {table} INCLUDING DEFAULTS) ON COMMIT DROP
