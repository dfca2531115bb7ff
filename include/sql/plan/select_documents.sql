-- Purpose: the documents that a plan looks at. Inputs: candidate_ids, null for all.
-- Grain: one row per live person that has a document.
SELECT d.candidate_id, d.content_hash, d.too_thin
FROM synthesis.document AS d
JOIN synthesis.candidate AS p ON p.candidate_id = d.candidate_id AND p.merged_into IS NULL AND p.retired_at IS NULL
WHERE %(candidate_ids)s::bigint[] IS NULL OR d.candidate_id = ANY(%(candidate_ids)s::bigint[])
