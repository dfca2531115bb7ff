-- Purpose: the source tables of the sample, as vendors' exports look in Postgres 13 or newer.
-- Grain: stated above each table. Column order is the order of the .copy files.
-- Nothing here is normalised on purpose. A team's own tables differ; include/sources/*.yaml maps them.

CREATE SCHEMA IF NOT EXISTS src;

-- One row per LinkedIn profile, scraped or bought. raw keeps the vendor's own JSON; vendor says which
-- of six shapes it is. jsonb holds no \u0000 and no lone surrogate, but it can hold a JSON string
-- with JSON inside.
CREATE TABLE IF NOT EXISTS src.linkedin_profiles (
  id                text PRIMARY KEY,
  vendor            text NOT NULL,      -- proxycurl | apify_dev_fusion | apify_harvestapi | brightdata | people_data_labs | phantombuster
  public_identifier text,               -- /in/<this>; Unicode, percent-encoded, mixed case, or missing
  linkedin_url      text,               -- any form: country subdomain, tracking, /details/, trailing comma, ACoAA... id
  member_id         text,               -- numeric member id; not unique here (two vendors, scraped again)
  full_name         text,
  raw               jsonb NOT NULL,
  fetched_at        timestamptz NOT NULL
);
CREATE INDEX IF NOT EXISTS linkedin_profiles_public_identifier ON src.linkedin_profiles (public_identifier);
CREATE INDEX IF NOT EXISTS linkedin_profiles_fetched_at ON src.linkedin_profiles (fetched_at);

-- One row per candidate of a recruiting tool's export. All text: skills is "a, b", "a|b", a JSON list,
-- a list of objects or JSON inside JSON; work_experience is JSON text or free text and may hold the
-- escapes \u0000 and \ud83d that jsonb refuses.
CREATE TABLE IF NOT EXISTS src.weekday_candidates (
  id                   text PRIMARY KEY,
  name                 text,
  first_name           text,
  last_name            text,
  email                text,
  alt_email            text,
  phone                text,
  linkedin_url         text,
  resume_url           text,
  current_title        text,
  current_company      text,
  location             text,
  years_of_experience  text,            -- "7", "7 years", "7 yrs 3 mos", "7.4"
  notice_period_days   text,            -- "30", "15 days", "Immediate", "serving notice"
  current_ctc          text,            -- "18.5 LPA", "1850000", "INR 18.50 lakhs", "0", "N/A"
  expected_ctc         text,
  skills               text,
  work_experience      text,
  education            text,
  notes                text,
  source               text,
  created_at           timestamptz,
  updated_at           timestamptz
);

-- One row per parsed resume.
CREATE TABLE IF NOT EXISTS src.parsed_resumes (
  id              text PRIMARY KEY,
  parser          text NOT NULL,        -- jsonresume | openresume | affinda | textkernel | pyresparser
  file_name       text,
  candidate_email text,                 -- may be the recruiter's or careers@...
  raw             jsonb NOT NULL,
  raw_text        text,
  parsed_at       timestamptz NOT NULL
);

-- One row per lead: a contact inside one campaign, so one human can be several leads.
CREATE TABLE IF NOT EXISTS src.lemlist_leads (
  id                     text PRIMARY KEY,  -- lea_...
  contact_id             text,              -- ctc_..., the same human across campaigns where known
  email                  text,
  first_name             text,
  last_name              text,
  full_name              text,
  company_name           text,
  company_domain         text,
  job_title              text,
  phone                  text,
  linkedin_url           text,
  linkedin_url_sales_nav text,
  location               text,
  industry               text,
  tagline                text,
  summary                text,
  skills                 text,              -- comma string
  languages              text,              -- comma string
  timezone               text,
  campaign_id            text,
  campaign_name          text,
  state                  text,
  is_unsubscribed        boolean,
  icebreaker             text,
  fields                 jsonb NOT NULL DEFAULT '{}',  -- custom variables and enrichment
  created_at             timestamptz
);

-- Many rows per company: vendors disagree, taxonomies v1 and v2 are mixed, labels are dirty, some are wrong.
CREATE TABLE IF NOT EXISTS src.company_industry (
  id                   bigint PRIMARY KEY,
  company_name         text,
  company_domain       text,
  company_linkedin_id  text,
  company_linkedin_url text,
  industry             text,
  industry_code        text,            -- numeric, the same in v1 and v2: prefer it to the label
  taxonomy             text,            -- v1 | v2 | null
  source               text,
  is_primary           boolean,
  updated_at           timestamptz
);
CREATE INDEX IF NOT EXISTS company_industry_company_domain ON src.company_industry (lower(company_domain));
CREATE INDEX IF NOT EXISTS company_industry_company_linkedin_id ON src.company_industry (company_linkedin_id);
