-- Purpose: ids for new candidates. Grain: one id.
SELECT nextval(pg_get_serial_sequence('synthesis.candidate', 'candidate_id'))
FROM generate_series(1, %(n)s)
