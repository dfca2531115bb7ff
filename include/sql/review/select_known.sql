-- Purpose: which of the answers named in a sheet exist. Inputs: candidate_ids, fingerprints, attempt_ids, run_ids, all
--   of one length. Grain: one answer that exists.
SELECT c.candidate_id, c.fingerprint, c.attempt_id, c.run_id
FROM unnest(%(candidate_ids)s::bigint[], %(fingerprints)s::text[], %(attempt_ids)s::text[], %(run_ids)s::text[])
  AS named (candidate_id, fingerprint, attempt_id, run_id)
JOIN synthesis.completion AS c USING (candidate_id, fingerprint, attempt_id, run_id)
