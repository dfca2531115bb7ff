-- Purpose: the best people for a query in the raw documents, as a search engine without synthesis would find them.
--   Scores are computed for at most `bound` matches. Inputs: words, bound, best.
-- Grain: one candidate, best first; matched is the number of matches, at most bound.
SELECT candidate_id, score, count(*) OVER () AS matched
FROM (
  SELECT v.candidate_id, ts_rank(v.vector, websearch_to_tsquery('english', %(words)s)) AS score
  FROM synthesis.document_search AS v
  WHERE v.vector @@ websearch_to_tsquery('english', %(words)s)
  LIMIT %(bound)s
) AS m
ORDER BY score DESC, candidate_id
LIMIT %(best)s
