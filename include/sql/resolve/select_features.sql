-- Purpose: the identity facts of the given rows. Grain: one identity row.
SELECT row_id, features FROM synthesis.identity_row WHERE row_id = ANY (%(row_ids)s::bigint[])
