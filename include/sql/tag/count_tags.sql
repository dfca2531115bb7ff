-- Purpose: what the run leaves behind. Grain: one row.
SELECT
  (SELECT count(*) FROM company_claim) AS claims,
  (SELECT count(*) FROM company_claim WHERE domain IS NULL) AS claims_without_domain,
  (SELECT count(*) FROM employer) AS employers,
  (SELECT count(*) FROM employer_domain) AS employers_tagged,
  (SELECT count(DISTINCT candidate_id) FROM synthesis.domain_tag) AS candidates,
  (SELECT count(*) FROM synthesis.domain_tag) AS tags,
  (SELECT count(*) FROM synthesis.unknown_industry) AS unknown
