-- Purpose: what the lanes of a run have to do. Grain: one row.
SELECT count(*) FILTER (WHERE NOT deferred) AS open, count(*) FILTER (WHERE deferred) AS deferred,
       coalesce(sum(token_estimate) FILTER (WHERE NOT deferred), 0)::bigint AS document_tokens
FROM synthesis.run_item WHERE run_id = %(run_id)s AND outcome IS NULL
