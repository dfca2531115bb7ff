-- Purpose: the strong keys of the person's rows, and which of them nobody else holds. Inputs: weak_kinds.
-- Grain: one key.
INSERT INTO erased_key (kind, value, is_unique)
SELECT
  k.kind, k.value,
  NOT EXISTS (SELECT FROM synthesis.generic_key AS g WHERE g.kind = k.kind AND g.value = k.value)
  AND NOT EXISTS (
    SELECT FROM synthesis.identity_key AS other
    WHERE other.kind = k.kind AND other.value = k.value
      AND NOT EXISTS (SELECT FROM erased_row AS mine WHERE mine.row_id = other.row_id))
FROM (SELECT DISTINCT kind, value FROM synthesis.identity_key JOIN erased_row USING (row_id)) AS k
WHERE k.kind <> ALL (%(weak_kinds)s)
