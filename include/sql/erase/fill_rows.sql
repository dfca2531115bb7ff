-- Purpose: the source rows of the person, those that left their table too. Grain: one source row.
INSERT INTO erased_row (source, source_key, row_id)
SELECT source, source_key, r.row_id
FROM (
  SELECT source, source_key FROM synthesis.candidate_source JOIN erased_candidate USING (candidate_id)
  UNION
  SELECT source, source_key FROM synthesis.former_source JOIN erased_candidate USING (candidate_id)
  -- A row that came back is its present owner's.
  WHERE NOT EXISTS (
    SELECT FROM synthesis.candidate_source AS c
    WHERE c.source = former_source.source AND c.source_key = former_source.source_key)
) AS mine
LEFT JOIN synthesis.identity_row AS r USING (source, source_key)
