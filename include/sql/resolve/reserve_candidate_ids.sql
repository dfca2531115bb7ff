-- Purpose: ids for new candidates. Grain: one id.
SELECT nextval((SELECT pg_get_serial_sequence('synthesis.candidate', 'candidate_id'))::regclass)
FROM generate_series(1, %(n)s)
