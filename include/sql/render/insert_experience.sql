-- Purpose: store the jobs of a batch. Inputs: experience_in. Grain: one row per job.
INSERT INTO synthesis.experience (
  candidate_id, n, employer, employer_key, company_linkedin_id, company_domain, title,
  start_month, end_month, is_current, months, sources
)
SELECT
  candidate_id, n, employer, employer_key, company_linkedin_id, company_domain, title,
  start_month, end_month, is_current, months, sources
FROM experience_in
ORDER BY candidate_id, n
