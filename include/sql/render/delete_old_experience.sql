-- Purpose: make room for the jobs of a batch. Inputs: document_in, undocumented. Grain: one row per job.
DELETE FROM synthesis.experience
WHERE candidate_id IN (
  SELECT candidate_id FROM document_in UNION ALL SELECT candidate_id FROM undocumented
)
