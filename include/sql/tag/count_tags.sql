-- Purpose: what the run leaves behind. Grain: one row.
SELECT
  (SELECT count(DISTINCT candidate_id) FROM synthesis.domain_tag) AS candidates,
  (SELECT count(*) FROM synthesis.domain_tag) AS tags,
  (SELECT count(*) FROM synthesis.unknown_industry) AS unknown
