-- Purpose: keep what a release_id stands for, and all that is needed to ask under it when the files have changed.
-- Inputs: state, for a release that is new; a known one keeps its own. What no fingerprint holds (attempts, token
--   caps, the model's place) follows the files. Grain: one release.
INSERT INTO synthesis.release (
  release_id, state, engine, model, model_revision, engine_profile, prompt_digest, schema_digest, sampling_digest,
  renderer_version, prompt, output_schema, sampling, profile, model_path, is_pinned)
VALUES (
  %(release_id)s, %(state)s, %(engine)s, %(model)s, %(model_revision)s, %(engine_profile)s, %(prompt_digest)s,
  %(schema_digest)s, %(sampling_digest)s, %(renderer_version)s, %(prompt)s, %(output_schema)s, %(sampling)s,
  %(profile)s, %(model_path)s, %(is_pinned)s)
ON CONFLICT (release_id) DO UPDATE
SET profile = excluded.profile, model_path = excluded.model_path, is_pinned = excluded.is_pinned
