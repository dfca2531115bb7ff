-- Purpose: find the claims about each employer: by LinkedIn id (strength 3), by web domain (2), by
--   normalised name (1). A weaker match is refused where a stronger identifier of the same kind
--   contradicts it: two companies may share a name.
-- Inputs: employer, company_claim. Grain: one row per employer and claim, with its best strength.
CREATE TEMPORARY TABLE employer_claim ON COMMIT DROP AS
WITH by_identifier AS (
  SELECT e.employer_no, c.claim_no, 3 AS strength
  FROM employer AS e
  JOIN company_claim AS c ON c.linkedin_number = e.company_linkedin_id
  UNION ALL
  SELECT e.employer_no, c.claim_no, 3
  FROM employer AS e
  JOIN company_claim AS c ON c.linkedin_slug = e.company_linkedin_id
  UNION ALL
  SELECT e.employer_no, c.claim_no, 2
  FROM employer AS e
  JOIN company_claim AS c ON c.company_domain = e.company_domain
),
by_name AS (
  SELECT e.employer_no, c.claim_no, 1 AS strength
  FROM employer AS e
  JOIN company_claim AS c ON c.employer_key = e.employer_key
  WHERE (e.company_domain IS NULL OR c.company_domain IS NULL
         OR c.company_domain = e.company_domain)
    AND (e.company_linkedin_id IS NULL
         OR CASE
              WHEN e.company_linkedin_id ~ '^[0-9]+$'
              THEN c.linkedin_number IS NULL OR c.linkedin_number = e.company_linkedin_id
              ELSE c.linkedin_slug IS NULL OR c.linkedin_slug = e.company_linkedin_id
            END)
)
SELECT m.employer_no, m.claim_no, max(m.strength) AS strength
FROM (SELECT * FROM by_identifier UNION ALL SELECT * FROM by_name) AS m
GROUP BY m.employer_no, m.claim_no
