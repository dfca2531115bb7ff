-- Purpose: have resolution look anew at the rows that shared a quarantined key with the person: with fewer holders it
-- may link again. Grain: one identity row.
UPDATE synthesis.identity_row AS r
SET resolver_version = ''
FROM synthesis.identity_key AS k
JOIN synthesis.generic_key AS g USING (kind, value)
JOIN erased_key AS e USING (kind, value)
WHERE k.row_id = r.row_id AND NOT EXISTS (SELECT FROM erased_row AS mine WHERE mine.row_id = r.row_id)
