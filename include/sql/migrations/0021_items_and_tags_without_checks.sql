-- Purpose: make items of a plan and tags cheaper to store: checking the candidate of each took half of the time that storing
--   tags takes. plan_synthesis and tag_domains alone write them, of candidates that they read in the same transaction and
--   under a lock that erase, which alone deletes candidates, takes as well.
-- Grain: no table. Applied once, in one transaction, by profiles.storage.migrations.

ALTER TABLE synthesis.run_item DROP CONSTRAINT run_item_candidate_id_fkey;
ALTER TABLE synthesis.domain_tag DROP CONSTRAINT domain_tag_candidate_id_fkey;
