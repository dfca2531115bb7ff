-- name: add_incoming
-- Purpose: move loaded rows into a source table; a key that is there already keeps its row.
-- Inputs: {table}, {incoming} with the same columns.
-- Grain: one row per source row.
INSERT INTO {table} SELECT * FROM {incoming} ON CONFLICT DO NOTHING

-- name: claim_schema
-- Purpose: create the sample's schema and mark it as the sample's. Inputs: schema, mark. Grain: one schema.
CREATE SCHEMA {schema};
COMMENT ON SCHEMA {schema} IS {mark}

-- name: create_incoming
-- Purpose: a place to COPY into, so that rows that exist already do not fail the load.
-- Inputs: {table}; gone at the end of the transaction.
-- Grain: one row per source row.
CREATE TEMPORARY TABLE {incoming} (LIKE {table} INCLUDING DEFAULTS) ON COMMIT DROP
