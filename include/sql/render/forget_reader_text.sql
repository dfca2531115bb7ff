-- Purpose: forget what earlier renders found in the rows of a batch. Inputs: its candidate_ids. Grain: one row and field.
DELETE FROM synthesis.reader_text AS t
WHERE EXISTS (
  SELECT FROM synthesis.candidate_source AS s
  WHERE s.source = t.source AND s.source_key = t.source_key AND s.candidate_id = ANY (%(candidate_ids)s))
