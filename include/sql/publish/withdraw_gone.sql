-- Purpose: take people out of the serving table who have no source row left or were merged into another id.
-- Grain: one row per candidate removed.
DELETE FROM synthesis.candidate_synthesis AS s
WHERE NOT EXISTS (
  SELECT 1 FROM synthesis.candidate AS p
  JOIN synthesis.document AS d ON d.candidate_id = p.candidate_id
  WHERE p.candidate_id = s.candidate_id AND p.merged_into IS NULL AND p.retired_at IS NULL
)
