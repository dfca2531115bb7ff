-- Purpose: add the rows to write of people without a summary, whose domains are served all the same.
-- Inputs: synthesis.publish_wanted. Grain: one row per candidate whose row differs.
INSERT INTO synthesis.publish_fresh (
  candidate_id, full_name, skills, domains, search, content_hash)
SELECT
  w.candidate_id, w.full_name, '{}', w.domains, synthesis.search_vector('{}', NULL, w.domains), w.content_hash
FROM synthesis.publish_wanted AS w
WHERE w.is_changed AND w.fingerprint IS NULL
