-- Purpose: keep what a release_id stands for; the deployment's own release is approved as it appears.
-- Inputs: state, approved for the deployment's release, proposed for one that a single run asked for.
-- Grain: one release. Going back to an older release makes it the last approved one again.
INSERT INTO synthesis.release AS r (
  release_id, state, engine, model, model_revision, engine_profile, prompt_digest, schema_digest, sampling_digest,
  renderer_version, prompt, output_schema, sampling, approved_at)
VALUES (
  %(release_id)s, %(state)s, %(engine)s, %(model)s, %(model_revision)s, %(engine_profile)s, %(prompt_digest)s,
  %(schema_digest)s, %(sampling_digest)s, %(renderer_version)s, %(prompt)s, %(output_schema)s, %(sampling)s,
  CASE WHEN %(state)s = 'approved' THEN now() END)
ON CONFLICT (release_id) DO UPDATE
SET state = 'approved', approved_at = now()
WHERE excluded.state = 'approved'
  AND (r.state <> 'approved' OR EXISTS (
    SELECT 1 FROM synthesis.release AS newer WHERE newer.state = 'approved' AND newer.approved_at > r.approved_at))
