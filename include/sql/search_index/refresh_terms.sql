-- Purpose: which share of people has a lexeme, from a sample; a rare word then counts for more than a common one.
-- Inputs: none. Grain: one row per lexeme that three people of the sample have.
WITH sampled AS (
  SELECT count(*) AS people
  FROM (SELECT FROM synthesis.candidate_synthesis ORDER BY hashint8(candidate_id) LIMIT 5000) AS s
),
counted AS (
  SELECT c.word AS lexeme, (c.ndoc::double precision / s.people)::real AS share
  FROM sampled AS s, ts_stat(
    'SELECT s.search || coalesce(v.vector, '''') FROM (SELECT candidate_id, search FROM synthesis.candidate_synthesis '
    'ORDER BY hashint8(candidate_id) LIMIT 5000) AS s LEFT JOIN synthesis.document_search AS v USING (candidate_id)') AS c
  WHERE c.ndoc >= 3
),
gone AS (
  DELETE FROM synthesis.search_term AS t WHERE NOT EXISTS (SELECT FROM counted AS c WHERE c.lexeme = t.lexeme)
)
INSERT INTO synthesis.search_term AS t (lexeme, share)
SELECT lexeme, share FROM counted
ON CONFLICT (lexeme) DO UPDATE SET share = excluded.share WHERE t.share <> excluded.share
