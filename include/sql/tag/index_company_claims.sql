-- Purpose: make the four look-ups of match_employers cheap. Grain: temporary table company_claim.
CREATE INDEX ON company_claim (linkedin_number) WHERE linkedin_number IS NOT NULL;
CREATE INDEX ON company_claim (linkedin_slug) WHERE linkedin_slug IS NOT NULL;
CREATE INDEX ON company_claim (company_domain) WHERE company_domain IS NOT NULL;
CREATE INDEX ON company_claim (employer_key) WHERE employer_key IS NOT NULL;
ANALYZE company_claim
