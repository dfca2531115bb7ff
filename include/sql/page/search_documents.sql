-- Purpose: the best people for a query in the raw documents, as a search engine without synthesis would find them.
--   Scores are computed for at most `bound` matches. Filters are those of the serving table.
-- Inputs: words, domain, skill (null for any), bound, best.
-- Grain: one candidate, best first; matched is the number of matches, at most bound.
SELECT candidate_id, score, count(*) OVER () AS matched
FROM (
  SELECT v.candidate_id, ts_rank(v.vector, websearch_to_tsquery('english', %(words)s)) AS score
  FROM synthesis.document_search AS v
  WHERE v.vector @@ websearch_to_tsquery('english', %(words)s)
    AND ((%(domain)s::text IS NULL AND %(skill)s::text IS NULL)
         OR EXISTS (
           SELECT FROM synthesis.candidate_synthesis AS s
           WHERE s.candidate_id = v.candidate_id
             AND (%(domain)s::text IS NULL OR s.domains @> ARRAY[%(domain)s::text])
             AND (%(skill)s::text IS NULL OR s.skills @> ARRAY[%(skill)s::text])))
  LIMIT %(bound)s
) AS m
ORDER BY score DESC, candidate_id
LIMIT %(best)s
