-- Purpose: one business domain per employer, by a vote of its claims weighted with match strength.
--   Vendors disagree and some are wrong, so no single claim decides.
-- Inputs: employer_claim, company_claim. Grain: one row per employer with a known domain.
CREATE TEMPORARY TABLE employer_domain ON COMMIT DROP AS
SELECT DISTINCT ON (v.employer_no) v.employer_no, v.domain
FROM (
  SELECT m.employer_no, c.domain, sum(m.strength * c.weight) AS votes
  FROM employer_claim AS m
  JOIN company_claim AS c ON c.claim_no = m.claim_no
  WHERE c.domain IS NOT NULL
  GROUP BY m.employer_no, c.domain
) AS v
ORDER BY v.employer_no, v.votes DESC, v.domain
