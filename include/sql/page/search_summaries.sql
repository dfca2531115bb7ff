-- Purpose: the best people for a query in the serving table. Scores are computed for at most `bound` matches, so that
--   a common word costs no more than a rare one; which of them these are is up to the server.
-- Inputs: words, domain, skill (null for any), bound, best.
-- Grain: one candidate, best first; matched is the number of matches, at most bound.
SELECT candidate_id, score, count(*) OVER () AS matched
FROM (
  SELECT s.candidate_id, ts_rank(s.search, websearch_to_tsquery('english', %(words)s)) AS score
  FROM synthesis.candidate_synthesis AS s
  WHERE s.search @@ websearch_to_tsquery('english', %(words)s)
    AND (%(domain)s::text IS NULL OR s.domains @> ARRAY[%(domain)s::text])
    AND (%(skill)s::text IS NULL OR s.skills @> ARRAY[%(skill)s::text])
  LIMIT %(bound)s
) AS m
ORDER BY score DESC, candidate_id
LIMIT %(best)s
