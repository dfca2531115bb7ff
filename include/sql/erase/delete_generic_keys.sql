-- Purpose: forget quarantined keys that nobody holds any more. Run it after the identity keys are gone.
-- Grain: one key.
DELETE FROM synthesis.generic_key AS g
USING erased_key AS e
WHERE g.kind = e.kind AND g.value = e.value
  AND NOT EXISTS (SELECT FROM synthesis.identity_key AS k WHERE k.kind = g.kind AND k.value = g.value)
