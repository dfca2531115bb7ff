-- Purpose: the people in a bucket of a run, or behind a reason of its gate, each with its last answer and the sentences
--   that were rejected. Of people whom the run did not plan, the present documents tell who is in which bucket.
-- Inputs: run_id; bucket, reason of an answer, or reason of a removed sentence (`removed`), each null for any; after, the
--   last id of the page before; rows. Grain: one candidate.
WITH answered AS (
  SELECT DISTINCT c.candidate_id
  FROM synthesis.completion AS c
  WHERE c.run_id = %(run_id)s AND c.is_terminal AND c.candidate_id > %(after)s
    AND (%(reason)s::text IS NOT NULL OR %(removed)s::text IS NOT NULL)
    AND (%(reason)s::text IS NULL OR coalesce(c.reason, 'unknown') = %(reason)s)
    AND (%(bucket)s::text IS NULL OR c.outcome = %(bucket)s)
    AND (%(removed)s::text IS NULL OR c.removed @> jsonb_build_array(jsonb_build_object('reason', %(removed)s::text)))
),
planned AS (
  SELECT i.candidate_id
  FROM synthesis.run_item AS i
  WHERE i.run_id = %(run_id)s AND i.candidate_id > %(after)s AND %(reason)s::text IS NULL AND %(removed)s::text IS NULL
    AND %(bucket)s::text = coalesce(i.outcome, CASE WHEN i.deferred THEN 'deferred' ELSE 'missing' END)
),
idle AS (
  SELECT d.candidate_id
  FROM synthesis.document AS d
  WHERE %(bucket)s::text IN ('fresh', 'too_thin', 'rejected_before') AND d.candidate_id > %(after)s
    AND %(reason)s::text IS NULL AND %(removed)s::text IS NULL
    AND NOT EXISTS (SELECT FROM synthesis.run_item AS i WHERE i.run_id = %(run_id)s AND i.candidate_id = d.candidate_id)
    AND %(bucket)s::text = CASE
      WHEN d.too_thin THEN 'too_thin'
      WHEN EXISTS (
        SELECT FROM synthesis.completion AS c
        WHERE c.candidate_id = d.candidate_id AND c.is_terminal AND c.outcome = 'rejected'
          AND c.content_hash = d.content_hash
          AND NOT EXISTS (
            SELECT FROM synthesis.completion AS a
            WHERE a.candidate_id = c.candidate_id AND a.fingerprint = c.fingerprint AND a.is_accepted)
      ) THEN 'rejected_before'
      ELSE 'fresh' END
),
people AS (
  SELECT candidate_id FROM answered UNION ALL SELECT candidate_id FROM planned UNION ALL SELECT candidate_id FROM idle
  ORDER BY candidate_id
  LIMIT %(rows)s
)
SELECT p.candidate_id, d.full_name, l.outcome, l.reason, coalesce(l.removed, '[]') AS removed, coalesce(l.checks, '[]') AS checks
FROM people AS p
LEFT JOIN synthesis.document AS d USING (candidate_id)
LEFT JOIN LATERAL (
  SELECT c.outcome, c.reason, c.removed, c.checks
  FROM synthesis.completion AS c
  WHERE c.candidate_id = p.candidate_id AND c.is_terminal
  ORDER BY c.run_id = %(run_id)s DESC, c.created_at DESC
  LIMIT 1
) AS l ON true
ORDER BY p.candidate_id
