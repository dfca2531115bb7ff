-- Purpose: the source records of a batch of candidates.
-- Inputs: candidate_ids. Grain: one row per source record, a candidate's together.
SELECT s.candidate_id, r.record
FROM synthesis.candidate_source AS s
JOIN synthesis.source_record AS r ON r.source = s.source AND r.source_key = s.source_key
WHERE s.candidate_id = ANY(%(candidate_ids)s)
ORDER BY s.candidate_id
