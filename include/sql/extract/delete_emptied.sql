-- Purpose: forget the record of a row that says nothing any more. A row that could not be read keeps
-- the record from before: an unreadable row is no deleted person. Inputs: incoming_rejection.
-- Grain: one source row.
WITH emptied AS MATERIALIZED (
  SELECT source_key FROM incoming_rejection WHERE reason = %(empty)s
)
DELETE FROM synthesis.source_record AS r
USING emptied WHERE r.source = %(source)s AND r.source_key = emptied.source_key
