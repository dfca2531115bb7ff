-- Purpose: forget the vectors of people who are not published any more, or without a summary. Grain: one vector.
DELETE FROM synthesis.candidate_embedding AS e
WHERE NOT EXISTS (
  SELECT FROM synthesis.candidate_synthesis AS s
  WHERE s.candidate_id = e.candidate_id AND s.summary IS NOT NULL)
