-- Purpose: the distinct employers of the jobs in scope, so that each is matched once however many
--   people worked there. Inputs: synthesis.experience, scope. Grain: one row per combination of company id,
--   domain and name key; employer is one of the names it was written with. stated is that combination in one value:
--   of a join over three the planner expects one row and looks up a person for each job.
CREATE TEMPORARY TABLE employer ON COMMIT DROP AS
SELECT
  row_number() OVER () AS employer_no,
  e.company_linkedin_id,
  e.company_domain,
  e.employer_key,
  coalesce(e.company_linkedin_id, '') || chr(31) || coalesce(e.company_domain, '') || chr(31)
    || coalesce(e.employer_key, '') AS stated,
  min(e.employer) AS employer
FROM synthesis.experience AS e
JOIN scope USING (candidate_id)
WHERE e.company_linkedin_id IS NOT NULL OR e.company_domain IS NOT NULL OR e.employer_key IS NOT NULL
GROUP BY e.company_linkedin_id, e.company_domain, e.employer_key;
ANALYZE employer
