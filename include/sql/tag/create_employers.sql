-- Purpose: the distinct employers of the jobs in scope, so that each is matched once however many
--   people worked there. Inputs: synthesis.experience, scope. Grain: one row per combination of company id,
--   domain and name key; employer is one of the names it was written with.
CREATE TEMPORARY TABLE employer ON COMMIT DROP AS
SELECT
  row_number() OVER () AS employer_no,
  e.company_linkedin_id,
  e.company_domain,
  e.employer_key,
  min(e.employer) AS employer
FROM synthesis.experience AS e
JOIN scope USING (candidate_id)
WHERE e.company_linkedin_id IS NOT NULL OR e.company_domain IS NOT NULL OR e.employer_key IS NOT NULL
GROUP BY e.company_linkedin_id, e.company_domain, e.employer_key;
ANALYZE employer
