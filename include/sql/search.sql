-- name: find
-- Purpose: the best people for a query, with what is shown of them. Inputs: query, skills, domains, k, meaning (the
--   query's vector, or null). Grain: one candidate, best first.
SELECT s.candidate_id, s.full_name, s.title, s.employer, s.place, s.years_of_experience, f.score
FROM synthesis.search_candidates(%(query)s, %(skills)s::text[], %(domains)s::text[], %(k)s, %(meaning)s::real[]) AS f
JOIN synthesis.candidate_synthesis AS s USING (candidate_id)
ORDER BY f.score DESC, s.candidate_id

-- name: put_release
-- Purpose: what is served and searched as it would be with the answers of a release, for the transaction that rolls it back.
-- Inputs: release_id. Grain: one row per published person whom the release answered about.
WITH put AS (
  UPDATE synthesis.candidate_synthesis AS s
  SET summary = n.summary, skills = n.names,
    search = n.search_vector || synthesis.name_vector(s.domains, 'C')
      || synthesis.fact_vector(s.title, s.employer, s.place, s.country, n.names, s.domains)
  FROM (
    SELECT DISTINCT ON (c.candidate_id)
      c.candidate_id, c.summary, synthesis.skill_names(c.skills) AS names, c.search_vector
    FROM synthesis.completion AS c
    WHERE c.release_id = %(release_id)s AND c.is_accepted
    ORDER BY c.candidate_id, c.created_at DESC
  ) AS n
  WHERE n.candidate_id = s.candidate_id
  RETURNING s.candidate_id, s.search
)
UPDATE synthesis.document_search AS v
SET vector = synthesis.person_vector(v.candidate_id, put.search, d.markdown)
FROM put JOIN synthesis.document AS d USING (candidate_id)
WHERE v.candidate_id = put.candidate_id
