-- Purpose: drop the rejections of rows that can be read now. Inputs: incoming_record.
-- Grain: one source row.
DELETE FROM synthesis.rejected_row AS x
USING incoming_record AS i
WHERE x.source = %(source)s AND x.source_key = i.source_key
