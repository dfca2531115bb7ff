-- name: select_holders
-- Purpose: other transactions that hold tables of schema synthesis and are older than a try for a lock; never their
-- statements, nor what their clients call themselves, which is free text and may be a person's name. Inputs: seconds.
-- Of another user's session only the pid may be known; a prepared transaction has none. Grain: one transaction.
SELECT DISTINCT ON (l.pid)
  CASE
    WHEN l.pid IS NULL THEN 'a prepared transaction (pg_prepared_xacts shows it; ROLLBACK PREPARED ends it)'
    WHEN a.xact_start IS NULL THEN 'process ' || l.pid
    ELSE format('process %%s (user %%s, %%s, for %%s s)', l.pid, a.usename, a.state,
                extract(epoch FROM clock_timestamp() - a.xact_start)::integer)
  END
FROM pg_locks AS l
JOIN pg_class AS c ON c.oid = l.relation AND c.relnamespace = 'synthesis'::regnamespace AND c.relkind = 'r'
LEFT JOIN pg_stat_activity AS a ON a.pid = l.pid
WHERE l.granted AND l.pid IS DISTINCT FROM pg_backend_pid()
  AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (a.xact_start IS NULL OR a.xact_start < clock_timestamp() - make_interval(secs => %(seconds)s))
ORDER BY l.pid
