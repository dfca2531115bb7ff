-- Purpose: keep a record as the text that extract wrote. Nothing asks the database for a member of it, and
-- parsing it into jsonb took a quarter of the time to store a row.
-- Grain: unchanged. Rewrites the table once.
ALTER TABLE synthesis.source_record ALTER COLUMN record TYPE json USING record::json;
