-- Purpose: people who are served with a skill, oldest id first. Inputs: skill (canonical name), after (last id of the
--   page before), rows. Grain: one row of the serving table.
SELECT s.candidate_id, s.full_name, s.skills, s.domains, s.method, s.summary IS NOT NULL AS has_summary, d.too_thin,
       s.content_hash = d.content_hash AS is_current, s.synthesised_at
FROM synthesis.candidate_synthesis AS s
LEFT JOIN synthesis.document AS d USING (candidate_id)
WHERE s.skills @> ARRAY[%(skill)s::text]
  AND s.candidate_id > %(after)s
ORDER BY s.candidate_id
LIMIT %(rows)s
