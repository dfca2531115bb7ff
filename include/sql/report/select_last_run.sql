-- Purpose: the run that started last. Grain: at most one row.
SELECT run_id, state, started_at, published_at, error FROM synthesis.run ORDER BY started_at DESC LIMIT 1
