-- name: refresh
-- Purpose: the full-text vectors of the next documents that changed or have none. A document that is being erased is
--   waited for. Inputs: after (candidate_id of the last one seen), rows.
-- Grain: one row, the last candidate seen and how many there were; no candidate when none was left.
WITH changed AS (
  SELECT d.candidate_id, d.content_hash, d.markdown
  FROM synthesis.document AS d
  -- Bounded here too, or each call would read the vectors of all the calls before.
  LEFT JOIN synthesis.document_search AS s ON s.candidate_id = d.candidate_id AND s.candidate_id > %(after)s
  WHERE d.candidate_id > %(after)s AND s.content_hash IS DISTINCT FROM d.content_hash
  ORDER BY d.candidate_id
  LIMIT %(rows)s
  FOR KEY SHARE OF d
),
written AS (
  INSERT INTO synthesis.document_search (candidate_id, content_hash, vector)
  SELECT candidate_id, content_hash, to_tsvector('english', markdown) FROM changed
  ON CONFLICT (candidate_id) DO UPDATE SET content_hash = excluded.content_hash, vector = excluded.vector
  RETURNING candidate_id
)
SELECT max(candidate_id), count(*) FROM written
