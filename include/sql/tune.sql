-- name: sample_documents
-- Purpose: a sample of the documents that a run would ask about, the same one every time.
-- Inputs: size, and renderer_version, so that no document of an older form is among them.
-- Grain: one row per document.
SELECT d.markdown, d.word_count
FROM synthesis.document AS d
WHERE NOT d.too_thin AND d.renderer_version = %(renderer_version)s
ORDER BY hashint8(d.candidate_id), d.candidate_id
LIMIT %(size)s
