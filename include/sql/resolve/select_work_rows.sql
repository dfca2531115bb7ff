-- Purpose: the names of the given rows. Grain: one identity row.
SELECT row_id, source, source_key FROM synthesis.identity_row WHERE row_id = ANY (%(row_ids)s::bigint[])
