-- Purpose: keys that are generic now. Grain: one key.
INSERT INTO synthesis.generic_key (kind, value, reason)
SELECT kind, value, reason FROM generic_now
ON CONFLICT (kind, value) DO UPDATE SET reason = excluded.reason
WHERE generic_key.reason <> excluded.reason
