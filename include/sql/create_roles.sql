-- name: create
-- Purpose: the three group roles, for the whole server; give them to logins with GRANT … TO …. Harmless to run again.
--   An administrator runs this file by hand where the migrating user may not create roles.
-- Grain: one role.
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['profiles_reader', 'profiles_pipeline', 'profiles_page'] LOOP
    IF to_regrole(wanted) IS NULL THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN', wanted);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;  -- a migration of another database of this server was quicker
      END;
    END IF;
  END LOOP;
END $$
