-- Purpose: the next published profiles without a vector of their present text. The text is what is published: summary,
--   skills, domains. Thin profiles have no summary and get no vector.
-- Inputs: model, revision (of the model's files and the rule that makes the text), after (candidate_id of the last one
--   seen), rows. Grain: one row per profile, by candidate_id.
SELECT t.candidate_id, t.text, t.fingerprint
FROM (
  SELECT p.candidate_id, p.text,
    encode(sha256(convert_to(%(revision)s || E'\n' || p.text, 'UTF8')), 'hex') AS fingerprint
  FROM (
    SELECT s.candidate_id,
      concat_ws(E'\n', s.summary, nullif(array_to_string(s.skills, ', '), ''),
        nullif(array_to_string(s.domains, ', '), '')) AS text
    FROM synthesis.candidate_synthesis AS s
    WHERE s.candidate_id > %(after)s AND s.summary IS NOT NULL
  ) AS p
) AS t
-- Bounded here too, or each call would read the vectors of all the calls before.
LEFT JOIN synthesis.candidate_embedding AS e
  ON e.candidate_id = t.candidate_id AND e.model = %(model)s AND e.candidate_id > %(after)s
WHERE e.fingerprint IS DISTINCT FROM t.fingerprint
ORDER BY t.candidate_id
LIMIT %(rows)s
