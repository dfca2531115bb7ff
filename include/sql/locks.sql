-- name: select_going_on
-- Purpose: whether one of these transactions has not ended. Inputs: transactions, as pg_locks names them. Grain: one row.
SELECT EXISTS (SELECT FROM pg_locks WHERE virtualtransaction = ANY (%(transactions)s))

-- name: select_waits
-- Purpose: what a session waits for, and which transactions are in its way; never what they ask, nor what
-- their clients call themselves, which is free text and may be a person's name. Inputs: pid.
-- Another user's session may show no state to this one; of a prepared transaction (pid 0) there is none.
-- Grain: one transaction in the way.
SELECT coalesce(wanted.relation::regclass::text, wanted.locktype), wanted.mode, blocker.pid, held.virtualtransaction,
  a.usename, a.state, extract(epoch FROM clock_timestamp() - a.xact_start)::integer
FROM pg_locks AS wanted
CROSS JOIN LATERAL (SELECT DISTINCT pid FROM unnest(pg_blocking_pids(wanted.pid)) AS found (pid)) AS blocker
LEFT JOIN pg_stat_activity AS a ON a.pid = blocker.pid
LEFT JOIN LATERAL (
  SELECT min(l.virtualtransaction) AS virtualtransaction FROM pg_locks AS l WHERE l.pid = blocker.pid AND l.granted
) AS held ON true
WHERE wanted.pid = %(pid)s AND NOT wanted.granted
ORDER BY blocker.pid
