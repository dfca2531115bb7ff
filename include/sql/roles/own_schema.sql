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
END $$
