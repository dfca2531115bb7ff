-- Purpose: load normalised claims. Grain: one row per claim about one company.
COPY company_claim (
  linkedin_number, linkedin_slug, company_domain, employer_key, domain, unknown_label, weight
) FROM STDIN
