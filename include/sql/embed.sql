-- name: create_index
-- Purpose: let pgvector find near vectors of one model without reading all. A query repeats the expression and names
--   the model, see docs/how-to/search.md. Inputs: the index's name, pgvector's schema, the model. Grain: one index.
-- Built once, in memory: with too little of it for 475,000 vectors pgvector goes on vector by vector, six times as
-- slow. Alone, because workers would share that memory in /dev/shm, of which a container has 64 MB.
SET LOCAL maintenance_work_mem = '1GB';
SET LOCAL max_parallel_maintenance_workers = 0;
CREATE INDEX IF NOT EXISTS {index} ON synthesis.candidate_embedding
USING hnsw ((embedding::{schema}.vector({dimension})) {schema}.vector_cosine_ops) WHERE model = {model}

-- name: delete_gone
-- Purpose: forget the vectors of people who are not published any more, or without a summary. Grain: one vector.
DELETE FROM synthesis.candidate_embedding AS e
WHERE NOT EXISTS (
  SELECT FROM synthesis.candidate_synthesis AS s
  WHERE s.candidate_id = e.candidate_id AND s.summary IS NOT NULL)

-- name: select_stale
-- Purpose: the next published profiles without a vector of their present text. The text is what is published: summary,
--   skills, domains. Thin profiles have no summary and get no vector.
-- Inputs: model, revision (of the model's files and the rule that makes the text), after (candidate_id of the last one
--   seen), rows. Grain: one row per profile, by candidate_id.
SELECT t.candidate_id, t.text, t.fingerprint
FROM (
  SELECT p.candidate_id, p.text,
    encode(sha256(convert_to(%(revision)s || E'\n' || p.text, 'UTF8')), 'hex') AS fingerprint
  FROM (
    SELECT s.candidate_id,
      concat_ws(E'\n', s.summary, nullif(array_to_string(s.skills, ', '), ''),
        nullif(array_to_string(s.domains, ', '), '')) AS text
    FROM synthesis.candidate_synthesis AS s
    WHERE s.candidate_id > %(after)s AND s.summary IS NOT NULL
  ) AS p
) AS t
-- Bounded here too, or each call would read the vectors of all the calls before.
LEFT JOIN synthesis.candidate_embedding AS e
  ON e.candidate_id = t.candidate_id AND e.model = %(model)s AND e.candidate_id > %(after)s
WHERE e.fingerprint IS DISTINCT FROM t.fingerprint
ORDER BY t.candidate_id
LIMIT %(rows)s

-- name: upsert
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
