-- Purpose: affected rows that a human decision holds together. Grain: one row of one class.
SELECT d.class, a.row_id
FROM affected AS a
JOIN synthesis.identity_row AS r USING (row_id)
JOIN decided AS d USING (source, source_key)
