-- Purpose: what the documents of a run were asked under, without prompt text and without who decided.
-- Grain: at most one row.
SELECT b.release_id, b.state, b.engine, b.model, b.model_revision, b.engine_profile, b.prompt_digest,
       b.schema_digest, b.sampling_digest, b.renderer_version, b.sampling, b.created_at, b.approved_at
FROM synthesis.run AS r
JOIN synthesis.release AS b ON b.release_id = r.release_id
WHERE r.run_id = %(run_id)s
