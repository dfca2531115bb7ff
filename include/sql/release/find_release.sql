-- Purpose: the releases whose id begins as given. Inputs: prefix. Grain: one row per release.
SELECT release_id, state, engine, model, model_revision, engine_profile, prompt_digest, schema_digest, sampling_digest,
       renderer_version, profile, model_path, is_pinned, created_at, approved_at, decided_at, decided_by, canary
FROM synthesis.release
WHERE starts_with(release_id, %(prefix)s)
ORDER BY release_id
