-- Purpose: tables of an invented company, named otherwise than the sample's, for docs/tutorial.md. All people, companies
--   and contacts are invented.
-- Grain: stated above each table.
CREATE SCHEMA crm;

-- One row per applicant; `cv` is what a CV parser returned.
CREATE TABLE crm.applicants (
  applicant_no integer PRIMARY KEY,
  person       text NOT NULL,
  mail         text,
  mobile       text,
  li_profile   text,
  place        text,
  cv           jsonb,
  changed_on   timestamptz NOT NULL
);
INSERT INTO crm.applicants VALUES
(1001, 'Ilse Vandermolen', 'ilse@vandermolen.example', '+31 20 555 0148', 'https://www.linkedin.com/in/ilse-vandermolen',
 'Utrecht, Netherlands', '{
  "headline": "Staff engineer for payments",
  "about": "Builds payment platforms that settle card and bank transfers, and leads the people who run them.",
  "jobs": [
    {"as": "Staff Engineer", "at": "Polderpay", "since": "2020-03", "until": null, "did":
     "Leads a platform team of eight that moved settlement from nightly files to Kafka streams. Designed the ledger service in Java with PostgreSQL, cut reconciliation from six hours to ten minutes, and brought the audit of the central bank to a close without findings. Mentors four senior engineers and owns the on-call rota."},
    {"as": "Senior Backend Engineer", "at": "Grachten Commerce", "since": "2016-05", "until": "2020-02", "did":
     "Rewrote checkout as Spring Boot services on Kubernetes, introduced contract tests between nine teams, and raised the share of successful payments by four percent through retries that respect the issuer."}],
  "studies": [{"where": "Universiteit Laagveen", "what": "MSc", "in": "Computer Science", "until": "2016"}],
  "knows": ["Java", "Kafka", "PostgreSQL", "Kubernetes", "Spring Boot"]}', '2026-02-11 09:12+00'),
(1002, 'Tomasz Brzoskwinia', 'tomasz.b@skrzynka.example', '+48 22 555 01 77', NULL, 'Gdańsk, Poland', '{
  "headline": "Data engineer, logistics",
  "jobs": [
    {"as": "Data Engineer", "at": "Portline Freight", "since": "2021-09", "until": null, "did":
     "Runs the warehouse that plans containers for forty ports. Replaced hand-written jobs with Airflow and dbt on Snowflake, so that a late feed is noticed within minutes. Wrote the forecast of empty containers in Python, which saved eleven percent of repositioning, and documents every model for the planners who use it."},
    {"as": "BI Developer", "at": "Bursztyn Retail", "since": "2018-01", "until": "2021-08", "did":
     "Built dashboards in Power BI for three hundred shops, tuned SQL Server queries, and trained store managers to answer their own questions."}],
  "studies": [{"where": "Politechnika Nadbrzeże", "what": "BSc", "in": "Applied Mathematics", "until": "2017"}],
  "knows": ["Python", "Apache Airflow", "dbt", "Snowflake", "SQL Server", "Power BI"]}', '2026-02-14 16:40+00'),
(1003, 'Amara Okonjo-Vale', 'amara@okonjovale.example', NULL, 'linkedin.com/in/amara-okonjo-vale', 'Bristol, United Kingdom', '{
  "headline": "Head of nursing informatics",
  "jobs": [
    {"as": "Head of Nursing Informatics", "at": "Severn Mill Hospitals", "since": "2019-06", "until": null, "did":
     "Leads the rollout of electronic records on sixty wards, with a team of twelve trainers and analysts. Defined how medication is recorded at the bedside with HL7 and FHIR interfaces, which halved late doses, and chairs the safety board that approves every change of the system."},
    {"as": "Ward Sister", "at": "Severn Mill Hospitals", "since": "2013-02", "until": "2019-05", "did":
     "Ran a surgical ward of twenty-eight beds and its rota, and taught newly qualified nurses."}],
  "studies": [{"where": "University of Harrowgate Marsh", "what": "BSc", "in": "Nursing", "until": "2012"}],
  "knows": ["FHIR", "HL7", "Change management", "Clinical safety"]}', '2026-01-30 11:05+00'),
(1004, 'Piet Short', 'piet@short.example', NULL, NULL, NULL, '{"headline": "Intern"}', '2026-02-20 08:00+00');

-- One row per person that a sourcer found; some of them have applied as well.
CREATE TABLE crm.sourced_people (
  lead_ref    text PRIMARY KEY,
  name        text,
  work_mail   text,
  profile_url text,
  role_now    text,
  firm_now    text,
  tags        text,
  found_at    date NOT NULL
);
INSERT INTO crm.sourced_people VALUES
('L-77', 'Vandermolen, Ilse', 'i.vandermolen@polderpay.example', 'https://nl.linkedin.com/in/ilse-vandermolen/', 'Staff Engineer',
 'Polderpay', 'payments, event streaming, ISO 20022', '2026-02-02'),
('L-78', 'Amara Okonjo-Vale', NULL, 'https://www.linkedin.com/in/amara-okonjo-vale', 'Head of Nursing Informatics',
 'Severn Mill Hospitals', 'digital health', '2026-02-03'),
('L-79', 'Noor Achterberg', 'noor@achterberg.example', NULL, 'Product Designer', 'Grachten Commerce', 'Figma, design systems',
 '2026-02-04');

-- One row per earlier job of a person that a sourcer found.
CREATE TABLE crm.sourced_jobs (
  lead_ref  text NOT NULL REFERENCES crm.sourced_people,
  role      text,
  firm      text,
  from_year integer,
  to_year   integer
);
CREATE INDEX ON crm.sourced_jobs (lead_ref);
INSERT INTO crm.sourced_jobs VALUES
('L-79', 'Interaction Designer', 'Portline Freight', 2017, 2021),
('L-79', 'Design Intern', 'Bursztyn Retail', 2016, 2017);

-- One row per employer.
CREATE TABLE crm.employers (
  employer text PRIMARY KEY,
  web      text,
  sector   text
);
INSERT INTO crm.employers VALUES
('Polderpay', 'polderpay.example', 'Financial Services'),
('Grachten Commerce', 'grachten.example', 'Online and Mail Order Retail'),
('Portline Freight', 'portline.example', 'Freight and Package Transportation'),
('Bursztyn Retail', 'bursztyn.example', 'Retail'),
('Severn Mill Hospitals', 'severnmill.example', 'Hospitals and Health Care');

