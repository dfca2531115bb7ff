-- Purpose: drop what is known by now or gone. Inputs: wanted_unknown. Grain: one row per kind, value.
DELETE FROM synthesis.unknown_industry AS u
WHERE NOT EXISTS (
  SELECT FROM wanted_unknown AS w WHERE w.kind = u.kind AND w.value = u.value
)
