-- Purpose: every key that links nobody now. Grain: one key.
SELECT kind, value FROM synthesis.generic_key
WHERE (kind, value) IN (SELECT k.kind, k.value FROM synthesis.identity_key AS k WHERE k.row_id = ANY (%(row_ids)s))
