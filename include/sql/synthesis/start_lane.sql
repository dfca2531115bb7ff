-- Purpose: open the row of a lane; a new try of the lane takes the row over. Grain: one lane of a run.
INSERT INTO synthesis.lane (run_id, lane, state, host, pid, cards, parallelism, reason, engine, model)
VALUES (%(run_id)s, %(lane)s, 'running', %(host)s, %(pid)s, %(cards)s, %(parallelism)s, %(reason)s, %(engine)s,
        %(model)s)
ON CONFLICT (run_id, lane) DO UPDATE
SET state = 'running', host = excluded.host, pid = excluded.pid, cards = excluded.cards,
    parallelism = excluded.parallelism, reason = excluded.reason, engine = excluded.engine, model = excluded.model,
    load_seconds = NULL, warm_up_seconds = NULL, first_batch_seconds = NULL, gauges = '{}', counters = '{}', started_at = now(), heartbeat_at = now(), ended_at = NULL, error = NULL
