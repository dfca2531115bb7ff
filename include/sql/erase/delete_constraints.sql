-- Purpose: forget what decisions said about rows of the person. Grain: one pair of rows.
DELETE FROM synthesis.identity_constraint AS c
USING erased_row AS e
WHERE (c.left_source = e.source AND c.left_key = e.source_key)
   OR (c.right_source = e.source AND c.right_key = e.source_key)
