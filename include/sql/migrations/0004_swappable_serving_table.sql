-- Purpose: let a night that changes most profiles build the serving table anew beside the old one and swap the two.
-- The table becomes the parent of one partition that holds all rows: readers, views, grants and comments belong to
-- the parent and stay, the partition can be exchanged in a moment. Grain: as before, one row per person that search
-- reads. `search` is written by publish, which computes it on several cores; a generated column is computed on one.

DO $$
DECLARE
  held text;
BEGIN
  SELECT string_agg(DISTINCT r.ev_class::regclass::text, ', ') INTO held
  FROM pg_depend AS d JOIN pg_rewrite AS r ON r.oid = d.objid
  WHERE d.classid = 'pg_rewrite'::regclass AND d.refobjid = 'synthesis.candidate_synthesis'::regclass;
  IF held IS NOT NULL THEN
    RAISE EXCEPTION 'views read synthesis.candidate_synthesis, which this migration replaces: %. '
      'Drop them, migrate, and create them again; later migrations and publishes leave views alone.', held;
  END IF;
END $$;

ALTER TABLE synthesis.candidate_synthesis ALTER COLUMN search DROP EXPRESSION;
ALTER TABLE synthesis.candidate_synthesis RENAME TO candidate_synthesis_rows;

-- Skills and domains twice: stemmed for queries in English, and as written for names that a stemmer bends.
CREATE FUNCTION synthesis.search_vector(skills text[], summary text, domains text[]) RETURNS tsvector
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN setweight(to_tsvector('english'::regconfig, synthesis.immutable_join(skills)), 'A')
  || setweight(to_tsvector('simple'::regconfig, synthesis.immutable_join(skills)), 'A')
  || setweight(to_tsvector('english'::regconfig, coalesce(summary, '')), 'B')
  || setweight(to_tsvector('english'::regconfig, synthesis.immutable_join(domains)), 'C')
  || setweight(to_tsvector('simple'::regconfig, synthesis.immutable_join(domains)), 'C');

-- The names of [{name, provenance}], in order. A function of its own because no parallel worker runs a subquery that
-- belongs to a row.
CREATE FUNCTION synthesis.skill_names(skills jsonb) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(
  SELECT skill.value ->> 'name'
  FROM jsonb_array_elements(skills) WITH ORDINALITY AS skill
  ORDER BY skill.ordinality);

-- The serving table: one row per person that search reads.
CREATE TABLE synthesis.candidate_synthesis (LIKE synthesis.candidate_synthesis_rows INCLUDING ALL)
PARTITION BY RANGE (candidate_id);
ALTER TABLE synthesis.candidate_synthesis ATTACH PARTITION synthesis.candidate_synthesis_rows DEFAULT;

DO $$
DECLARE
  held record;
BEGIN
  FOR held IN
    SELECT a.privilege_type, a.is_grantable,
      CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee
    FROM pg_class AS c, aclexplode(c.relacl) AS a
    WHERE c.oid = 'synthesis.candidate_synthesis_rows'::regclass AND a.grantee <> c.relowner
  LOOP
    EXECUTE format('GRANT %s ON synthesis.candidate_synthesis TO %s%s', held.privilege_type, held.grantee,
      CASE WHEN held.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
  END LOOP;
END $$;
