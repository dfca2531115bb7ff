-- Purpose: how much of the serving table this publish changes, and whether it may be built anew.
-- Inputs: synthesis.publish_change, the catalog. Grain: one row. `wanted` is counted only where so many rows change that
-- the share decides.
-- Not replaceable: a foreign key points at its rows, a trigger wants to see each write, a column is not ours, so that a
-- new table would lose what somebody put there, or a publication or a logical slot sends its changes to somebody, who
-- would not see those of a new table.
WITH change AS (
  SELECT
    count(*) FILTER (WHERE NOT is_gone) AS changed,
    count(*) FILTER (WHERE is_gone) AS gone,
    count(*) FILTER (WHERE is_new) AS added
  FROM synthesis.publish_change
)
SELECT
  changed,
  gone,
  CASE WHEN changed >= %(rebuild_rows)s THEN added - gone + (SELECT count(*) FROM synthesis.candidate_synthesis)
  END AS wanted,
  NOT EXISTS (SELECT FROM pg_constraint
              WHERE confrelid = 'synthesis.candidate_synthesis'::regclass AND contype = 'f' AND conparentid = 0)
  AND NOT EXISTS (SELECT FROM pg_trigger
                  WHERE tgrelid = 'synthesis.candidate_synthesis'::regclass AND NOT tgisinternal)
  AND NOT EXISTS (SELECT FROM pg_publication_tables
                  WHERE schemaname = 'synthesis' AND tablename LIKE 'candidate\_synthesis%%')
  AND NOT EXISTS (SELECT FROM pg_replication_slots WHERE slot_type = 'logical' AND database = current_database())
  AND (SELECT array_agg(attname::text ORDER BY attname) <@ ARRAY[
         'candidate_id', 'full_name', 'title', 'employer', 'place', 'country', 'years_of_experience', 'search_version', 'summary', 'skills', 'domains', 'method', 'search', 'model',
         'prompt_version', 'release_id', 'fingerprint', 'content_hash', 'run_id', 'synthesised_at', 'published_at']
       FROM pg_attribute
       WHERE attrelid = 'synthesis.candidate_synthesis'::regclass AND attnum > 0 AND NOT attisdropped
      ) AS is_replaceable
FROM change
