-- Purpose: people by the beginnings of words of their name, oldest id first. Inputs: words (of to_tsquery, folded as
--   synthesis.name_words folds), after (last id of the page before), rows.
-- Grain: one candidate that has a document.
SELECT d.candidate_id, d.full_name, s.skills, s.domains, s.method, s.summary IS NOT NULL AS has_summary, d.too_thin,
       s.content_hash = d.content_hash AS is_current, s.synthesised_at
FROM synthesis.document AS d
LEFT JOIN synthesis.candidate_synthesis AS s USING (candidate_id)
WHERE synthesis.name_words(d.full_name) @@ to_tsquery('simple', %(words)s)
  AND d.candidate_id > %(after)s
ORDER BY d.candidate_id
LIMIT %(rows)s
