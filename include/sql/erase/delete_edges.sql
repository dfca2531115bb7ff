-- Purpose: forget the pairs that the person's rows are part of. Grain: one pair.
DELETE FROM synthesis.identity_edge
WHERE lo IN (SELECT row_id FROM erased_row) OR hi IN (SELECT row_id FROM erased_row)
