-- Purpose: move loaded rows into a source table; a key that is there already keeps its row.
-- Inputs: {table}, {incoming} with the same columns.
-- Grain: one row per source row.
INSERT INTO {table} SELECT * FROM {incoming} ON CONFLICT DO NOTHING
