-- Purpose: read what the industry table says about companies. Inputs: the deployment's industry table.
-- Grain: one row per claim of one vendor about one company.
SELECT
  company_name,
  company_domain,
  company_linkedin_id,
  company_linkedin_url,
  industry,
  industry_code::text AS industry_code,
  is_primary
FROM {table}
