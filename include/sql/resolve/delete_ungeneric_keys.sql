-- Purpose: keys that are no longer generic. Grain: one key.
DELETE FROM synthesis.generic_key AS g
USING touched_key AS t
WHERE t.kind = g.kind AND t.value = g.value
  AND NOT EXISTS (SELECT FROM generic_now AS n WHERE n.kind = g.kind AND n.value = g.value)
