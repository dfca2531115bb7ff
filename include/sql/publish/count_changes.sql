-- Purpose: how much of the serving table this publish changes, and whether it may be built anew.
-- Inputs: synthesis.publish_wanted, the serving table, the catalog. Grain: one row.
-- Not replaceable: a foreign key points at its rows, a trigger wants to see each write, or a column is not ours, so
-- that a new table would lose what somebody put there.
SELECT
  (SELECT count(*) FROM synthesis.publish_wanted) AS wanted,
  (SELECT count(*) FROM synthesis.publish_wanted WHERE is_changed) AS changed,
  (SELECT count(*) FROM synthesis.candidate_synthesis AS s
   WHERE NOT EXISTS (SELECT FROM synthesis.publish_wanted AS w WHERE w.candidate_id = s.candidate_id)) AS gone,
  NOT EXISTS (SELECT FROM pg_constraint
              WHERE confrelid = 'synthesis.candidate_synthesis'::regclass AND contype = 'f' AND conparentid = 0)
  AND NOT EXISTS (SELECT FROM pg_trigger
                  WHERE tgrelid = 'synthesis.candidate_synthesis'::regclass AND NOT tgisinternal)
  AND (SELECT array_agg(attname::text ORDER BY attname) <@ ARRAY[
         'candidate_id', 'full_name', 'summary', 'skills', 'domains', 'method', 'search', 'model',
         'prompt_version', 'release_id', 'fingerprint', 'content_hash', 'run_id', 'synthesised_at', 'published_at']
       FROM pg_attribute
       WHERE attrelid = 'synthesis.candidate_synthesis'::regclass AND attnum > 0 AND NOT attisdropped
      ) AS is_replaceable
