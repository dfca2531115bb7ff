-- Purpose: rows of candidates that lost a row are decided again. Grain: one identity row.
INSERT INTO affected (row_id, step)
SELECT r.row_id, 0
FROM touched_candidate AS t
JOIN synthesis.candidate_source AS c USING (candidate_id)
JOIN synthesis.identity_row AS r USING (source, source_key)
ON CONFLICT (row_id) DO NOTHING
