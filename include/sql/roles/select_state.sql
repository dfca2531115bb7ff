-- Purpose: who asks and what that role may do about roles. Grain: one row.
SELECT
  current_user,
  r.rolsuper,
  r.rolsuper OR r.rolcreaterole AS may_create,
  ARRAY(
    SELECT wanted FROM unnest(ARRAY['profiles_reader', 'profiles_pipeline', 'profiles_page']) AS wanted
    WHERE to_regrole(wanted) IS NULL) AS missing
FROM pg_roles AS r
WHERE r.rolname = current_user
