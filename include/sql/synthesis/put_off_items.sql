-- Purpose: defer items to the next plan, because the document changed since this one or the engine failed to answer.
-- Grain: one row per item.
UPDATE synthesis.run_item
SET batch_id = NULL, deferred = true
WHERE run_id = %(run_id)s AND batch_id = %(batch_id)s AND candidate_id = ANY(%(candidate_ids)s) AND outcome IS NULL
