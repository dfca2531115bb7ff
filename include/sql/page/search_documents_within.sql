-- Purpose: search_documents within the people whom the serving table has with a domain or skill. A statement of its
--   own: a join lets the server begin with whichever is rarer, the words or the filter.
-- Inputs: words, domain, skill (null for any), bound, best.
-- Grain: one candidate, best first; matched is the number of matches, at most bound.
SELECT candidate_id, score, count(*) OVER () AS matched
FROM (
  SELECT v.candidate_id, ts_rank(v.vector, websearch_to_tsquery('english', %(words)s)) AS score
  FROM synthesis.document_search AS v
  JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = v.candidate_id
  WHERE v.vector @@ websearch_to_tsquery('english', %(words)s)
    AND (%(domain)s::text IS NULL OR s.domains @> ARRAY[%(domain)s::text])
    AND (%(skill)s::text IS NULL OR s.skills @> ARRAY[%(skill)s::text])
  LIMIT %(bound)s
) AS m
ORDER BY score DESC, candidate_id
LIMIT %(best)s
