-- Purpose: drop the counts of unread items of rows that were read again or say nothing any more. Inputs: their keys.
-- Grain: one source row.
DELETE FROM synthesis.unread_item
WHERE source = %(source)s AND source_key = ANY (%(source_keys)s)
