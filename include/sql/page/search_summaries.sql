-- Purpose: the best people for a query, by the search that a team's own search calls.
-- Inputs: words, domain, skill (null for any), best. Grain: one candidate, best first; matched is how many were found, at
--   most best.
SELECT candidate_id, score, count(*) OVER () AS matched
FROM synthesis.search_candidates(
  %(words)s, array_remove(ARRAY[%(skill)s::text], NULL), array_remove(ARRAY[%(domain)s::text], NULL), %(best)s)
ORDER BY score DESC, candidate_id
