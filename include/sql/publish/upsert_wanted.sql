-- Purpose: bring the serving table to wanted, leaving unchanged rows alone (each write costs the GIN indexes).
-- Inputs: temporary table wanted. Grain: one row per candidate written.
INSERT INTO synthesis.candidate_synthesis AS s (
  candidate_id, full_name, summary, skills, domains, method, model, prompt_version, release_id, fingerprint,
  content_hash, run_id, synthesised_at)
SELECT
  w.candidate_id, w.full_name, w.summary, w.skills, w.domains, w.method, w.model, w.prompt_version, w.release_id,
  w.fingerprint, w.content_hash, %(run_id)s, w.synthesised_at
FROM wanted AS w
LEFT JOIN synthesis.candidate_synthesis AS old ON old.candidate_id = w.candidate_id
WHERE old.candidate_id IS NULL
  OR (old.full_name, old.summary, old.skills, old.domains, old.method, old.model, old.prompt_version,
      old.release_id, old.fingerprint, old.content_hash, old.synthesised_at)
     IS DISTINCT FROM
     (w.full_name, w.summary, w.skills, w.domains, w.method, w.model, w.prompt_version,
      w.release_id, w.fingerprint, w.content_hash, w.synthesised_at)
ON CONFLICT (candidate_id) DO UPDATE SET
  full_name = excluded.full_name, summary = excluded.summary, skills = excluded.skills,
  domains = excluded.domains, method = excluded.method, model = excluded.model,
  prompt_version = excluded.prompt_version, release_id = excluded.release_id,
  fingerprint = excluded.fingerprint, content_hash = excluded.content_hash, run_id = excluded.run_id,
  synthesised_at = excluded.synthesised_at, published_at = now()
