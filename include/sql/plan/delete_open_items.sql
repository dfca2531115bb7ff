-- Purpose: drop the items of an earlier plan of this run, except those that are done under the fingerprint that
--   this plan gives them too. Inputs: temporary table planned_document. Grain: one row per item dropped.
DELETE FROM synthesis.run_item AS i
WHERE i.run_id = %(run_id)s
  AND (i.outcome IS NULL OR NOT EXISTS (
    SELECT 1 FROM planned_document AS p WHERE p.candidate_id = i.candidate_id AND p.fingerprint = i.fingerprint))
