-- Purpose: the release that nightly runs ask under. Grain: at most one row.
SELECT release_id, state, engine, model, model_revision, engine_profile, prompt_digest, schema_digest, sampling_digest,
       renderer_version, profile, model_path, is_pinned, created_at, approved_at, decided_at, decided_by, canary
FROM synthesis.release
WHERE state = 'approved'
