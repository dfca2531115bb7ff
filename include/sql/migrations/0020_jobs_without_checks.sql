-- Purpose: make a job cheaper to store. No query looks jobs up by employer: tag_domains groups all of them. A check of each
-- job's candidate repeats that of the document which render_profiles stores in the same transaction; erase deletes jobs
-- after documents, so that none stays behind.
-- Grain: no table. Applied once, in one transaction, by profiles.storage.migrations.

DROP INDEX synthesis.experience_employer;
ALTER TABLE synthesis.experience DROP CONSTRAINT experience_candidate_id_fkey;
