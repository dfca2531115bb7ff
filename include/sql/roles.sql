-- name: own_and_grant
-- Purpose: profiles_pipeline owns schema synthesis, because publish and resolve replace tables and indexes. Whoever
--   owned a part of it before, and the migrating user, become members, so that nothing stops working.
-- Grain: one object of the schema.
DO $$
DECLARE
  held record;
BEGIN
  FOR held IN
    SELECT r.rolname
    FROM pg_roles AS r
    WHERE NOT r.rolsuper AND r.rolname <> 'profiles_pipeline'
      AND NOT EXISTS (
        SELECT FROM pg_auth_members AS m WHERE m.roleid = 'profiles_pipeline'::regrole AND m.member = r.oid
        AND pg_has_role(r.oid, m.roleid, 'USAGE'))
      AND (r.rolname = current_user
           OR r.oid IN (SELECT relowner FROM pg_class WHERE relnamespace = 'synthesis'::regnamespace)
           OR r.oid = (SELECT nspowner FROM pg_namespace WHERE nspname = 'synthesis'))
  LOOP
    EXECUTE format('GRANT profiles_pipeline TO %I', held.rolname);
  END LOOP;
  EXECUTE format('GRANT CREATE ON DATABASE %I TO profiles_pipeline', current_database());
  ALTER SCHEMA synthesis OWNER TO profiles_pipeline;
  FOR held IN
    SELECT CASE c.relkind WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END AS kind, c.relname
    FROM pg_class AS c
    WHERE c.relnamespace = 'synthesis'::regnamespace AND c.relkind IN ('r', 'p', 'v')
      AND c.relowner <> 'profiles_pipeline'::regrole
  LOOP
    EXECUTE format('ALTER %s synthesis.%I OWNER TO profiles_pipeline', held.kind, held.relname);
  END LOOP;
  FOR held IN
    SELECT p.oid::regprocedure AS signature
    FROM pg_proc AS p
    WHERE p.pronamespace = 'synthesis'::regnamespace AND p.proowner <> 'profiles_pipeline'::regrole
  LOOP
    EXECUTE format('ALTER FUNCTION %s OWNER TO profiles_pipeline', held.signature);
  END LOOP;
END $$;

-- What readers of the result and the operator's page may see, and nothing else. Run after every migration.
--   The reader: the serving table, its vectors and the ids that were merged away. The page: runs, people and their
--   documents, but no raw answers, identity keys, tombstones or what a reviewer wrote, and source rows only through a
--   view that leaves out contacts.
-- Grain: one table.
DO $$
DECLARE
  shown text;
BEGIN
  REVOKE ALL ON ALL TABLES IN SCHEMA synthesis FROM profiles_reader, profiles_page;
  GRANT USAGE ON SCHEMA synthesis TO profiles_reader, profiles_page;
  GRANT SELECT ON synthesis.candidate_synthesis, synthesis.candidate_redirect TO profiles_reader, profiles_page;
  GRANT SELECT ON synthesis.candidate_embedding, synthesis.candidate_score TO profiles_reader;
  GRANT EXECUTE ON FUNCTION synthesis.search_candidates(text, text[], text[], integer, real[])
    TO profiles_reader, profiles_page;
  -- The page sees what a judge says only beside its agreement.
  GRANT SELECT ON synthesis.judge_agreement, synthesis.judge_summary TO profiles_page;
  FOREACH shown IN ARRAY ARRAY[
    'batch', 'candidate', 'candidate_source', 'coverage', 'document', 'document_search', 'domain_tag', 'erasure_log',
    'experience', 'identity_decision', 'identity_event', 'lane', 'page_row', 'reader_text', 'release', 'run', 'run_item', 'run_metric',
    'run_stage', 'schema_migration', 'search_name', 'search_term', 'unknown_industry']
  LOOP
    EXECUTE format('GRANT SELECT ON synthesis.%I TO profiles_page', shown);
  END LOOP;
  SELECT string_agg(quote_ident(attname), ', ') INTO shown
  FROM pg_attribute
  WHERE attrelid = 'synthesis.completion'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'raw_text';
  EXECUTE format('GRANT SELECT (%s) ON synthesis.completion TO profiles_page', shown);
  -- So that the page can take its role with the pipeline's login, too.
  IF NOT pg_has_role('profiles_pipeline', 'profiles_page', 'MEMBER') THEN
    BEGIN
      GRANT profiles_page TO profiles_pipeline;
    EXCEPTION WHEN insufficient_privilege THEN
      NULL;  -- an administrator made the roles; the page then keeps the rights of its login
    END;
  END IF;
END $$

-- name: select_sources
-- Purpose: how this session and the pipeline's role stand to the source tables. Inputs: tables, as schema.name.
-- Grain: one table that exists.
SELECT
  c.oid::regclass::text AS name,
  n.nspname,
  c.relname,
  pg_has_role(c.relowner, 'USAGE') AS is_owner,
  has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') AS may_write,
  pg_has_role(c.relowner, 'USAGE')
    OR (has_table_privilege(c.oid, 'SELECT WITH GRANT OPTION')
        AND has_schema_privilege(n.oid, 'USAGE WITH GRANT OPTION')) AS may_grant
FROM unnest(%(tables)s::text[]) AS wanted
JOIN pg_class AS c ON c.oid = to_regclass(wanted)
JOIN pg_namespace AS n ON n.oid = c.relnamespace
ORDER BY 1

-- name: select_state
-- Purpose: who asks and what that role may do about roles. Grain: one row.
SELECT
  current_user,
  r.rolsuper OR r.rolcreaterole AS may_create,
  ARRAY(
    SELECT wanted FROM unnest(ARRAY['profiles_reader', 'profiles_pipeline', 'profiles_page']) AS wanted
    WHERE to_regrole(wanted) IS NULL) AS missing
FROM pg_roles AS r
WHERE r.rolname = current_user

-- name: select_writable
-- Purpose: what this session may write of everything that is not the system's. Grain: one table.
SELECT c.oid::regclass::text AS name, n.nspname = 'synthesis' AS is_ours,
       has_schema_privilege(n.oid, 'USAGE') AND CASE WHEN n.nspname = 'synthesis'
         THEN has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
         ELSE has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') END AS may_write
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\_%' AND n.nspname <> 'information_schema'
ORDER BY 1
