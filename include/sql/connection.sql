-- name: begin
-- Purpose: what a transaction of ours needs whatever the role, the database or a pooler has set: no time limit but those
-- we set ourselves, dates as ISO text in UTC, an error where row security would hide rows, and a server that ends this session, with its locks, a minute after the host of
-- its client lost its power; it would wait for two hours. Inputs: for this transaction alone, or for the session.
-- Grain: one setting that this server has.
SELECT set_config(name, wanted.value, %(is_local)s)
FROM pg_settings
JOIN (VALUES
  ('statement_timeout', '0'), ('transaction_timeout', '0'), ('lock_timeout', '0'),
  ('idle_session_timeout', '0'), ('idle_in_transaction_session_timeout', '0'),
  ('DateStyle', 'ISO, YMD'), ('TimeZone', 'UTC'), ('row_security', 'off'), ('IntervalStyle', 'postgres'), ('bytea_output', 'hex'), ('extra_float_digits', '1'),
  ('standard_conforming_strings', 'on'),
  ('tcp_keepalives_idle', '30'), ('tcp_keepalives_interval', '10'), ('tcp_keepalives_count', '3'),
  ('tcp_user_timeout', '60000')
) AS wanted (name, value) USING (name)
