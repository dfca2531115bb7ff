-- Purpose: what each stage of a run did, its parts together, in the order in which they ended.
-- What has begun alone is shown once the run has ended, because it should have by then; it has no peak_mb.
-- counts: summed over parts. Grain: one row per stage.
SELECT
  s.stage, count(*) AS parts, max(s.seconds) AS longest_seconds, max(s.peak_mb) AS peak_mb, max(s.ended_at) AS ended_at,
  string_agg(nullif(concat_ws(': ', nullif(s.part, ''), s.error), ''), '; ' ORDER BY s.part)
    FILTER (WHERE s.error IS NOT NULL) AS error,
  (SELECT coalesce(jsonb_object_agg(t.key, t.total), '{}')
   FROM (
     SELECT c.key, sum(c.value::numeric) AS total
     FROM synthesis.run_stage AS p CROSS JOIN jsonb_each_text(p.counts) AS c
     WHERE p.run_id = %(run_id)s AND p.stage = s.stage AND c.value ~ '^-?[0-9]+(\.[0-9]+)?$'
     GROUP BY c.key
   ) AS t) AS counts
FROM synthesis.run_stage AS s JOIN synthesis.run AS r USING (run_id)
WHERE s.run_id = %(run_id)s AND (s.error IS NULL OR s.peak_mb IS NOT NULL OR r.ended_at IS NOT NULL)
GROUP BY s.stage
ORDER BY max(s.ended_at)
