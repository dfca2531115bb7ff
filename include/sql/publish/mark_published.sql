-- Purpose: note on the run what publish did. Grain: one run.
UPDATE synthesis.run
SET published_at = now(), published = %(published)s, withdrawn = %(withdrawn)s
WHERE run_id = %(run_id)s
