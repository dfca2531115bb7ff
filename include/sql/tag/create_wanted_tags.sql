-- Purpose: the domains of each person. A job counts with its months, halved for every
--   half_life_years between its end and the newest date known of the person (never today); a job of
--   unknown length counts unknown_months. Kept: domains with at least min_share of the weight, and
--   that of a current employer; at most max_domains.
-- Nothing here depends on other people. Inputs: synthesis.experience, synthesis.document, scope,
-- employer, employer_domain. Grain: one row per live candidate in scope and domain.
CREATE TEMPORARY TABLE wanted_tag ON COMMIT DROP AS
WITH spell AS (
  SELECT
    x.candidate_id,
    d.domain,
    coalesce(x.employer, x.company_domain, x.company_linkedin_id) AS employer,
    x.is_current,
    x.months,
    left(x.end_month, 4)::integer * 12
      + coalesce(nullif(substr(x.end_month, 6, 2), '')::integer, 12) AS ended,
    left(o.as_of, 4)::integer * 12
      + coalesce(nullif(substr(o.as_of, 6, 2), '')::integer, 12) AS observed
  FROM synthesis.experience AS x
  JOIN scope USING (candidate_id)
  JOIN synthesis.candidate AS p
    ON p.candidate_id = x.candidate_id AND p.merged_into IS NULL AND p.retired_at IS NULL
  JOIN employer AS e
    ON e.stated = coalesce(x.company_linkedin_id, '') || chr(31) || coalesce(x.company_domain, '')
      || chr(31) || coalesce(x.employer_key, '')
  JOIN employer_domain AS d ON d.employer_no = e.employer_no
  LEFT JOIN synthesis.document AS o ON o.candidate_id = x.candidate_id
),
aged AS (
  SELECT
    s.*,
    CASE
      WHEN s.is_current OR s.ended IS NULL THEN 0
      ELSE greatest(0, coalesce(s.observed, max(s.ended) OVER person) - s.ended) / 12.0
    END AS years_ago
  FROM spell AS s
  WINDOW person AS (PARTITION BY s.candidate_id)
),
per_domain AS (
  SELECT
    a.candidate_id,
    a.domain,
    sum(coalesce(a.months, 0))::integer AS months,
    sum(
      greatest(coalesce(a.months, %(unknown_months)s), 1)
      * power(0.5::double precision, a.years_ago / %(half_life_years)s)
    ) AS weight,
    bool_or(a.is_current) AS is_current,
    array_agg(DISTINCT a.employer ORDER BY a.employer) AS employers
  FROM aged AS a
  GROUP BY a.candidate_id, a.domain
),
ranked AS (
  SELECT
    d.*,
    d.weight / sum(d.weight) OVER (PARTITION BY d.candidate_id) AS share,
    row_number() OVER (PARTITION BY d.candidate_id ORDER BY d.weight DESC, d.domain) AS position
  FROM per_domain AS d
)
SELECT
  r.candidate_id,
  r.domain,
  r.months,
  round(r.share::numeric, 4)::double precision AS weight,
  r.employers
FROM ranked AS r
WHERE (r.share >= %(min_share)s OR r.is_current) AND r.position <= %(max_domains)s
