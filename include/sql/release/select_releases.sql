-- Purpose: the releases, newest decision or registration first. Grain: one row per release.
SELECT release_id, state, engine, model, model_revision, engine_profile, prompt_digest, schema_digest, sampling_digest,
       renderer_version, profile, model_path, is_pinned, created_at, approved_at, decided_at, decided_by, canary
FROM synthesis.release
ORDER BY state = 'approved' DESC, coalesce(decided_at, created_at) DESC, release_id
