-- Purpose: where source rows address a reader, newest first, with how many fields do in all. Grain: one row and field, at
-- most ten.
SELECT source, source_key, field, count(*) OVER () FROM synthesis.reader_text
ORDER BY found_at DESC, source, source_key, field
LIMIT 10
