-- Purpose: take vanished rows from their candidates and remember whose they were.
-- Inputs: candidate_source, source_record. Grain: one source row. Fills touched_candidate.
WITH gone AS (
  DELETE FROM synthesis.candidate_source AS c
  WHERE NOT EXISTS (
    SELECT FROM synthesis.source_record AS s
    WHERE s.source = c.source AND s.source_key = c.source_key
  )
  RETURNING c.source, c.source_key, c.candidate_id, c.own_id
), remembered AS (
  INSERT INTO synthesis.former_source (source, source_key, candidate_id, removed_run)
  SELECT source, source_key, coalesce(own_id, candidate_id), %(run_id)s FROM gone
  ON CONFLICT (source, source_key) DO UPDATE
  SET candidate_id = excluded.candidate_id, removed_run = excluded.removed_run, removed_at = now()
)
INSERT INTO touched_candidate (candidate_id)
SELECT DISTINCT candidate_id FROM gone
