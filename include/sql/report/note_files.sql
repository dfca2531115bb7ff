-- Purpose: keep with a run's report where its files are, or why there are none. Inputs: files, JSON. Grain: one run.
UPDATE synthesis.run SET report = coalesce(report, '{}') || jsonb_build_object('files', %(files)s::jsonb)
WHERE run_id = %(run_id)s
