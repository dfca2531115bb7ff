-- Purpose: what is shown of people found: the passages that match, in the summary or in the raw document. Matches stand
--   between U+E000 and U+E001, passages between U+E002; the texts lose these characters first. Inputs: words, ids, raw.
-- Grain: one candidate.
WITH marks AS (
  SELECT
    'StartSel=' || U&'\E000' || ', StopSel=' || U&'\E001' || ', FragmentDelimiter=' || U&'\E002' AS ends,
    U&'\E000\E001\E002' AS used
)
SELECT
  i.candidate_id, coalesce(s.full_name, d.full_name) AS full_name, s.domains, s.method,
  ts_headline('english', translate(coalesce(CASE WHEN %(raw)s THEN d.markdown ELSE s.summary END, ''), m.used, ''),
    websearch_to_tsquery('english', %(words)s),
    m.ends || ', MaxFragments=2, MaxWords=30, MinWords=12') AS passages,
  CASE WHEN NOT %(raw)s THEN
    ts_headline('english', translate(array_to_string(s.skills, ' · '), m.used, ''),
      websearch_to_tsquery('english', %(words)s), m.ends || ', HighlightAll=true') END AS skills
FROM unnest(%(ids)s::bigint[]) WITH ORDINALITY AS i (candidate_id, place)
CROSS JOIN marks AS m
LEFT JOIN synthesis.candidate_synthesis AS s ON s.candidate_id = i.candidate_id
LEFT JOIN synthesis.document AS d ON d.candidate_id = i.candidate_id
ORDER BY i.place
