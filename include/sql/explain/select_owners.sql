-- Purpose: the candidates with a row that holds one of the given keys. Grain: one candidate.
SELECT DISTINCT s.candidate_id
FROM synthesis.identity_key AS k
JOIN synthesis.identity_row AS r USING (row_id)
JOIN synthesis.candidate_source AS s USING (source, source_key)
WHERE (k.kind, k.value) IN (SELECT * FROM unnest(%(kinds)s::text[], %(values)s::text[]))
ORDER BY s.candidate_id
