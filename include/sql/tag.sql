-- name: choose_domains
-- Purpose: one business domain per employer, by a vote of its claims weighted with match strength.
--   Vendors disagree and some are wrong, so no single claim decides.
-- Inputs: employer_claim, company_claim. Grain: one row per employer with a known domain.
CREATE TEMPORARY TABLE employer_domain ON COMMIT DROP AS
SELECT DISTINCT ON (v.employer_no) v.employer_no, v.domain
FROM (
  SELECT m.employer_no, c.domain, sum(m.strength * c.weight) AS votes
  FROM employer_claim AS m
  JOIN company_claim AS c ON c.claim_no = m.claim_no
  WHERE c.domain IS NOT NULL
  GROUP BY m.employer_no, c.domain
) AS v
ORDER BY v.employer_no, v.votes DESC, v.domain

-- name: claim_untagged
-- Purpose: the people to look at where the rules are the same: those whose jobs changed, and those who left and have
-- tags still. Inputs: untagged, which this empties of what it saw. Fills scope. Grain: one row per candidate.
WITH claimed AS (
  DELETE FROM synthesis.untagged RETURNING candidate_id
)
INSERT INTO scope (candidate_id)
SELECT candidate_id FROM claimed
UNION
SELECT c.candidate_id
FROM synthesis.candidate AS c
WHERE (c.merged_into IS NOT NULL OR c.retired_at IS NOT NULL)
  AND EXISTS (SELECT FROM synthesis.domain_tag AS t WHERE t.candidate_id = c.candidate_id)

-- name: copy_company_claims
-- Purpose: load normalised claims. Grain: one row per claim about one company.
COPY company_claim (
  linkedin_number, linkedin_slug, company_domain, employer_key, domain, unknown_label, weight
) FROM STDIN

-- name: count_employers
-- Purpose: what the run looked at. Inputs: company_claim, employer, employer_domain. Grain: one row.
SELECT
  (SELECT count(*) FROM company_claim) AS claims,
  (SELECT count(*) FROM company_claim WHERE domain IS NULL) AS claims_without_domain,
  (SELECT count(*) FROM employer) AS employers,
  (SELECT count(*) FROM employer_domain) AS employers_tagged

-- name: count_tags
-- Purpose: what the run leaves behind. Grain: one row.
SELECT
  (SELECT count(DISTINCT candidate_id) FROM synthesis.domain_tag) AS candidates,
  (SELECT count(*) FROM synthesis.domain_tag) AS tags,
  (SELECT count(*) FROM synthesis.unknown_industry) AS unknown

-- name: create_company_claim
-- Purpose: hold the normalised claims of this run. Grain: one row per claim about one company;
--   domain is null where the taxonomy does not know the label, which unknown_label then names.
CREATE TEMPORARY TABLE company_claim (
  claim_no        bigint GENERATED ALWAYS AS IDENTITY,
  linkedin_number text,
  linkedin_slug   text,
  company_domain  text,
  employer_key    text,
  domain          text,
  unknown_label   text,
  weight          double precision NOT NULL
) ON COMMIT DROP

-- name: create_employers
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

-- name: create_scope
-- Purpose: hold the people to look at. Grain: one row per candidate.
CREATE TEMPORARY TABLE scope (candidate_id bigint PRIMARY KEY) ON COMMIT DROP

-- name: create_unknown
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
  LIMIT 5000
)
SELECT 'label' AS kind, l.value, l.candidates FROM label AS l
UNION ALL
SELECT 'company', c.value, max(c.candidates) FROM company AS c GROUP BY c.value

-- name: create_wanted_tags
-- Purpose: the domains of each person. A job counts with its months, halved for every
--   6 years between its end and the newest date known of the person (never today); a job of unknown
--   length counts 12. Kept: domains with at least a tenth of the weight, and that of a current
--   employer; at most 6.
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
      greatest(coalesce(a.months, 12), 1)
      * power(0.5::double precision, a.years_ago / 6::double precision)
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
WHERE (r.share >= 0.1 OR r.is_current) AND r.position <= 6

-- name: delete_old_tags
-- Purpose: drop tags of people in scope that no longer hold. Inputs: wanted_tag, scope.
-- Grain: one row per candidate and domain.
DELETE FROM synthesis.domain_tag AS t
USING scope AS s
WHERE s.candidate_id = t.candidate_id
  AND NOT EXISTS (
    SELECT FROM wanted_tag AS w WHERE w.candidate_id = t.candidate_id AND w.domain = t.domain
  )

-- name: delete_old_unknown
-- Purpose: drop what is known by now or gone. Inputs: wanted_unknown. Grain: one row per kind, value.
DELETE FROM synthesis.unknown_industry AS u
WHERE NOT EXISTS (
  SELECT FROM wanted_unknown AS w WHERE w.kind = u.kind AND w.value = u.value
)

-- name: digest_industries
-- Purpose: a value that differs when the industry table says something else, in whatever order its rows lie.
-- Inputs: industries, the statement below that reads the table. Grain: one row.
SELECT count(*)::text || ':' || coalesce(sum(hashtextextended(c::text, 0)::numeric), 0)::text
FROM ({industries}) AS c

-- name: empty_untagged
-- Purpose: forget whose jobs changed, on a night that looks at everybody. Grain: one row per person and statement that changed
-- jobs of theirs.
DELETE FROM synthesis.untagged

-- name: index_company_claims
-- Purpose: make the four look-ups of match_employers cheap. Grain: temporary table company_claim.
CREATE INDEX ON company_claim (linkedin_number) WHERE linkedin_number IS NOT NULL;
CREATE INDEX ON company_claim (linkedin_slug) WHERE linkedin_slug IS NOT NULL;
CREATE INDEX ON company_claim (company_domain) WHERE company_domain IS NOT NULL;
CREATE INDEX ON company_claim (employer_key) WHERE employer_key IS NOT NULL;
ANALYZE company_claim

-- name: match_employers
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

-- name: select_industries
-- Purpose: read what the industry table says about companies. Inputs: the deployment's industry table and its own name of
-- each column. Of any type: what is no truth value in one row must not end the reading of all; a list of industries names
-- several. Grain: one row per claim of one vendor about one company.
SELECT
  {company_name}::text AS company_name,
  {company_domain}::text AS company_domain,
  {company_linkedin_id}::text AS company_linkedin_id,
  {company_linkedin_url}::text AS company_linkedin_url,
  to_json({industry})::text AS industry,
  {industry_code}::text AS industry_code,
  lower({is_primary}::text) IN ('t', 'true', 'y', 'yes', 'on', '1') AS is_primary
FROM {table}

-- name: upsert_tags
-- Purpose: store new and changed tags; equal rows are not touched. Inputs: wanted_tag.
-- Grain: one row per candidate and domain.
INSERT INTO synthesis.domain_tag AS t (candidate_id, domain, months, weight, employers)
SELECT w.candidate_id, w.domain, w.months, w.weight, w.employers
FROM wanted_tag AS w
ORDER BY w.candidate_id, w.domain
ON CONFLICT (candidate_id, domain) DO UPDATE
SET months = excluded.months, weight = excluded.weight, employers = excluded.employers
WHERE (t.months, t.weight, t.employers)
  IS DISTINCT FROM (excluded.months, excluded.weight, excluded.employers)

-- name: upsert_unknown
-- Purpose: store what the taxonomy does not know; rows with equal counts keep the run that first saw
--   them. Inputs: wanted_unknown. Grain: one row per kind and value.
INSERT INTO synthesis.unknown_industry AS u (kind, value, candidates, run_id)
SELECT w.kind, w.value, w.candidates, %(run_id)s
FROM wanted_unknown AS w
ON CONFLICT (kind, value) DO UPDATE
SET candidates = excluded.candidates, run_id = excluded.run_id
WHERE u.candidates <> excluded.candidates

-- name: widen_scope
-- Purpose: everybody who has jobs or tags. Fills scope. Grain: one row per candidate.
INSERT INTO scope (candidate_id)
SELECT candidate_id FROM synthesis.experience
UNION
SELECT candidate_id FROM synthesis.domain_tag
ORDER BY candidate_id
ON CONFLICT DO NOTHING
