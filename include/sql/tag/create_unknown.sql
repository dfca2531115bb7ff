-- Purpose: on a night that looks at everybody, what the taxonomy should learn next: labels without a code, and employers of many people
--   without any domain. Inputs: company_claim, employer, employer_claim, employer_domain,
--   synthesis.experience, of which only jobs at employers that are asked about are put together. Grain: one row per label,
--   and per employer name key.
CREATE TEMPORARY TABLE wanted_unknown ON COMMIT DROP AS
WITH asked AS (
  SELECT e.employer_no
  FROM employer AS e
  WHERE NOT EXISTS (SELECT FROM employer_domain AS d WHERE d.employer_no = e.employer_no)
  UNION
  SELECT m.employer_no
  FROM employer_claim AS m
  JOIN company_claim AS c ON c.claim_no = m.claim_no
  WHERE c.unknown_label IS NOT NULL
),
person_employer AS (
  SELECT DISTINCT x.candidate_id, e.employer_no
  FROM synthesis.experience AS x
  JOIN employer AS e
    ON e.stated = coalesce(x.company_linkedin_id, '') || chr(31) || coalesce(x.company_domain, '')
      || chr(31) || coalesce(x.employer_key, '')
  JOIN asked AS a ON a.employer_no = e.employer_no
),
label AS (
  SELECT c.unknown_label AS value, count(DISTINCT p.candidate_id)::integer AS candidates
  FROM company_claim AS c
  LEFT JOIN employer_claim AS m ON m.claim_no = c.claim_no
  LEFT JOIN person_employer AS p ON p.employer_no = m.employer_no
  WHERE c.unknown_label IS NOT NULL
  GROUP BY c.unknown_label
),
company AS (
  SELECT left(min(e.employer), 200) AS value, count(DISTINCT p.candidate_id)::integer AS candidates
  FROM employer AS e
  JOIN person_employer AS p ON p.employer_no = e.employer_no
  WHERE e.employer IS NOT NULL AND e.employer_key IS NOT NULL
    AND NOT EXISTS (SELECT FROM employer_domain AS d WHERE d.employer_no = e.employer_no)
  GROUP BY e.employer_key
  ORDER BY candidates DESC, value
  LIMIT %(max_companies)s
)
SELECT 'label' AS kind, l.value, l.candidates FROM label AS l
UNION ALL
SELECT 'company', c.value, max(c.candidates) FROM company AS c GROUP BY c.value
