-- Purpose: the rows to write, as view synthesis.publish_fresh; the transaction that makes it drops it. The vector of
--   skills and summary was made when the answer was accepted; what may change without a new answer is added
--   here.
-- Inputs: synthesis.publish_change, the completions. Grain: one row per candidate whose row differs.
CREATE VIEW synthesis.publish_fresh AS
SELECT
  w.candidate_id, w.full_name, w.title, w.employer, w.place, w.country, w.years_of_experience, c.summary,
  synthesis.skill_names(coalesce(c.skills, '[]')) || w.inferred_skills AS skills,
  w.domains, w.method,
  coalesce(c.search_vector, '') || (synthesis.name_vector(w.inferred_skills, 'A')
    || synthesis.name_vector(w.domains, 'C') || synthesis.fact_vector(w.title, w.employer, w.place, w.country,
      synthesis.skill_names(coalesce(c.skills, '[]')) || w.inferred_skills, w.domains)) AS search,
  w.model, w.prompt_version, w.release_id, w.fingerprint, w.content_hash, w.synthesised_at
FROM synthesis.publish_change AS w
LEFT JOIN synthesis.completion AS c
  ON c.candidate_id = w.candidate_id AND c.fingerprint = w.fingerprint AND c.is_accepted
WHERE NOT w.is_gone
