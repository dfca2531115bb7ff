-- Purpose: store vectors. Somebody who was erased meanwhile is left out, and an erasure waits for this statement.
-- Inputs: model, dimension, candidate_ids, fingerprints, embeddings (each as text of an array). Grain: one profile.
WITH given AS (
  SELECT g.candidate_id, g.fingerprint, g.embedding::real[] AS embedding
  FROM unnest(%(candidate_ids)s::bigint[], %(fingerprints)s::text[], %(embeddings)s::text[])
    AS g (candidate_id, fingerprint, embedding)
), alive AS MATERIALIZED (
  SELECT candidate_id FROM synthesis.candidate
  WHERE candidate_id = ANY (%(candidate_ids)s::bigint[])
  ORDER BY candidate_id
  FOR KEY SHARE
)
INSERT INTO synthesis.candidate_embedding (candidate_id, model, dimension, fingerprint, embedding)
SELECT g.candidate_id, %(model)s, %(dimension)s, g.fingerprint, g.embedding
FROM given AS g JOIN alive USING (candidate_id)
ON CONFLICT (candidate_id, model) DO UPDATE
SET dimension = excluded.dimension, fingerprint = excluded.fingerprint, embedding = excluded.embedding,
    embedded_at = now()
