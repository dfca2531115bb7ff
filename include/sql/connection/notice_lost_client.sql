-- Purpose: let the server end this session, with its locks, a minute after the host of its client lost its power; it would
-- wait for two hours. Grain: one row.
SELECT
  set_config('tcp_keepalives_idle', '30', false), set_config('tcp_keepalives_interval', '10', false),
  set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '60000', false)
