-- Purpose: let tag_domains look only at people whose jobs changed, while the industry table and the rules stay the same.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.

-- One row per person and statement that changed jobs of theirs since tag_domains last looked. The triggers below write it,
-- so that no writer of jobs can forget to.
CREATE TABLE synthesis.untagged (candidate_id bigint NOT NULL);

CREATE FUNCTION synthesis.note_untagged() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO synthesis.untagged (candidate_id) SELECT DISTINCT candidate_id FROM touched;
  RETURN NULL;
END $$;

CREATE TRIGGER note_added AFTER INSERT ON synthesis.experience
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION synthesis.note_untagged();
CREATE TRIGGER note_changed AFTER UPDATE ON synthesis.experience
REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION synthesis.note_untagged();
CREATE TRIGGER note_removed AFTER DELETE ON synthesis.experience
REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION synthesis.note_untagged();

-- One row: what the tags were made by. Another value makes the next tag_domains look at everybody.
CREATE TABLE synthesis.tagged_by (
  digest text NOT NULL                      -- of the industry table, the taxonomy and the rules of tagging
);
