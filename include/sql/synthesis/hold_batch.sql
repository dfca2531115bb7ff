-- Purpose: read the state of a batch and keep it until commit: nobody takes the lease over meanwhile.
-- Grain: one row.
SELECT state, run_id FROM synthesis.batch WHERE batch_id = %(batch_id)s FOR UPDATE
