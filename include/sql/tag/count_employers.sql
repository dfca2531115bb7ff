-- Purpose: what the run looked at. Inputs: company_claim, employer, employer_domain. Grain: one row.
SELECT
  (SELECT count(*) FROM company_claim) AS claims,
  (SELECT count(*) FROM company_claim WHERE domain IS NULL) AS claims_without_domain,
  (SELECT count(*) FROM employer) AS employers,
  (SELECT count(*) FROM employer_domain) AS employers_tagged
