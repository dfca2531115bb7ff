-- Purpose: forget the record of a row that says nothing any more. A row that could not be read keeps
-- the record from before: an unreadable row is no deleted person. Inputs: incoming_rejection.
-- Grain: one source row.
DELETE FROM synthesis.source_record AS r
USING incoming_rejection AS i
WHERE r.source = %(source)s AND r.source_key = i.source_key AND i.reason = %(empty)s
