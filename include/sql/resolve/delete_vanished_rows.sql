-- Purpose: forget rows that the sources no longer have. Grain: one identity row.
DELETE FROM synthesis.identity_row AS r USING vanished AS v WHERE v.row_id = r.row_id
