-- name: find
-- Purpose: the best people for a query, with what is shown of them. Inputs: query, skills, domains, k, meaning (the
--   query's vector, or null). Grain: one candidate, best first.
SELECT s.candidate_id, s.full_name, s.title, s.employer, s.place, s.years_of_experience, f.score
FROM synthesis.search_candidates(%(query)s, %(skills)s::text[], %(domains)s::text[], %(k)s, %(meaning)s::real[]) AS f
JOIN synthesis.candidate_synthesis AS s USING (candidate_id)
ORDER BY f.score DESC, s.candidate_id
