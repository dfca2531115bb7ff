-- Purpose: make room for the jobs of a batch. Inputs: its candidate_ids. Grain: one row per job.
DELETE FROM synthesis.experience WHERE candidate_id = ANY (%(candidate_ids)s)
