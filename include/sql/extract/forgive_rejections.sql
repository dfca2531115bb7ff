-- Purpose: drop the rejections of rows that can be read now. Inputs: their keys.
-- Grain: one source row.
DELETE FROM synthesis.rejected_row
WHERE source = %(source)s AND source_key = ANY (%(source_keys)s)
