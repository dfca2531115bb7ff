-- Purpose: the indexes and references that drop_person_indexes took off, as the migrations made them.
-- Grain: whole table.
ALTER TABLE synthesis.candidate_source ADD CONSTRAINT candidate_source_pkey PRIMARY KEY (source, source_key);
CREATE INDEX candidate_source_candidate ON synthesis.candidate_source (candidate_id);
ALTER TABLE synthesis.candidate_source
  ADD CONSTRAINT candidate_source_candidate_id_fkey FOREIGN KEY (candidate_id) REFERENCES synthesis.candidate,
  ADD CONSTRAINT candidate_source_own_id_fkey FOREIGN KEY (own_id) REFERENCES synthesis.candidate
