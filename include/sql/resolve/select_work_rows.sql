-- Purpose: the facts of the given rows. Grain: one identity row.
SELECT row_id, source, source_key, features FROM synthesis.identity_row WHERE row_id = ANY (%(row_ids)s)
