-- Purpose: drop documents and jobs of candidates that were retired, merged away or have no source row left.
-- Inputs: key range lo..hi, both included. Grain: returns the number of deleted documents.
WITH gone AS (
  SELECT d.candidate_id
  FROM synthesis.document AS d
  JOIN synthesis.candidate AS c ON c.candidate_id = d.candidate_id
  WHERE d.candidate_id BETWEEN %(lo)s AND %(hi)s
    AND (
      c.merged_into IS NOT NULL
      OR c.retired_at IS NOT NULL
      OR NOT EXISTS (
        SELECT FROM synthesis.candidate_source AS s WHERE s.candidate_id = d.candidate_id
      )
    )
),
jobs AS (
  DELETE FROM synthesis.experience WHERE candidate_id IN (SELECT candidate_id FROM gone)
)
DELETE FROM synthesis.document WHERE candidate_id IN (SELECT candidate_id FROM gone)
