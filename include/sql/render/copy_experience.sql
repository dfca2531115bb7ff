-- Purpose: load merged jobs. Grain: one row per job of a candidate.
COPY synthesis.experience (
  candidate_id, n, employer, employer_key, company_linkedin_id, company_domain, title,
  start_month, end_month, is_current, months, sources
) FROM STDIN
