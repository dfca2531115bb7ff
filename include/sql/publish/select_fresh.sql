-- Purpose: the rows to write that have a summary, with texts and search vector, as table synthesis.publish_fresh.
--   A table made by a query of its own, because Postgres computes such a query on several cores and never an INSERT,
--   and the vector of a summary costs more than everything else. An outer join would bring it back to one core.
-- Inputs: synthesis.publish_wanted, the completions. Grain: one row per candidate whose row differs.
CREATE UNLOGGED TABLE synthesis.publish_fresh AS
SELECT
  said.candidate_id, said.full_name, said.summary, said.skills, said.domains, said.method,
  synthesis.search_vector(said.skills, said.summary, said.domains) AS search,
  said.model, said.prompt_version, said.release_id, said.fingerprint, said.content_hash, said.synthesised_at
FROM (
  SELECT
    w.candidate_id, w.full_name, c.summary, w.domains, w.method, w.model, w.prompt_version, w.release_id,
    w.fingerprint, w.content_hash, w.synthesised_at,
    synthesis.skill_names(c.skills) || CASE WHEN %(publish_inferred)s THEN c.inferred_skills ELSE '{}' END AS skills
  FROM synthesis.publish_wanted AS w
  JOIN synthesis.completion AS c
    ON c.candidate_id = w.candidate_id AND c.fingerprint = w.fingerprint AND c.is_accepted
  WHERE w.is_changed
) AS said
