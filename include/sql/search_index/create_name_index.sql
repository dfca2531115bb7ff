-- Purpose: find names of skills that differ by little from a word. Inputs: pg_trgm's schema. Grain: one index.
CREATE INDEX IF NOT EXISTS search_name_near ON synthesis.search_name USING gin (key {schema}.gin_trgm_ops) WHERE kind = 's'
