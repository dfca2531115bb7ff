-- Purpose: write the changed rows into the serving table, leaving the others alone (each write costs the GIN indexes).
-- Inputs: synthesis.publish_fresh. Grain: one row per candidate written.
INSERT INTO synthesis.candidate_synthesis (
  candidate_id, full_name, title, employer, place, country, years_of_experience, summary, skills, domains, method, search,
  search_version, model, prompt_version, release_id, fingerprint, content_hash, run_id, synthesised_at)
SELECT
  f.candidate_id, f.full_name, f.title, f.employer, f.place, f.country, f.years_of_experience, f.summary, f.skills,
  f.domains, f.method, f.search, synthesis.search_version(), f.model, f.prompt_version,
  f.release_id, f.fingerprint, f.content_hash, %(run_id)s, f.synthesised_at
FROM synthesis.publish_fresh AS f
ON CONFLICT (candidate_id) DO UPDATE SET
  full_name = excluded.full_name, title = excluded.title, employer = excluded.employer, place = excluded.place,
  country = excluded.country, years_of_experience = excluded.years_of_experience,
  search_version = excluded.search_version, summary = excluded.summary, skills = excluded.skills,
  domains = excluded.domains, method = excluded.method, search = excluded.search, model = excluded.model,
  prompt_version = excluded.prompt_version, release_id = excluded.release_id,
  fingerprint = excluded.fingerprint, content_hash = excluded.content_hash, run_id = excluded.run_id,
  synthesised_at = excluded.synthesised_at, published_at = now()
