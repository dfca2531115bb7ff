-- Purpose: put the table of build_next in the place of the serving table's rows. Indexes that match are taken over,
-- so nothing is read or built here. Needs the serving table locked. Grain: one table.
ALTER TABLE synthesis.candidate_synthesis DETACH PARTITION synthesis.candidate_synthesis_rows;
DROP TABLE synthesis.candidate_synthesis_rows;
ALTER TABLE synthesis.candidate_synthesis ATTACH PARTITION synthesis.candidate_synthesis_next DEFAULT;
ALTER TABLE synthesis.candidate_synthesis_next RENAME TO candidate_synthesis_rows
