-- Purpose: what a lane has to know of its run. Grain: one row; release columns are null before the plan.
SELECT r.params, l.engine, l.model, l.model_revision, l.engine_profile, l.prompt_digest, l.schema_digest,
       l.sampling_digest, l.renderer_version
FROM synthesis.run AS r
LEFT JOIN synthesis.release AS l ON l.release_id = r.release_id
WHERE r.run_id = %(run_id)s
