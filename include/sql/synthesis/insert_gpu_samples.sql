-- Purpose: keep what a lane's cards did. Inputs: samples, a JSON array. Grain: one row per card and time.
INSERT INTO synthesis.run_metric (run_id, lane, kind, sampled_at, value)
SELECT %(run_id)s, %(lane)s, 'gpu', (s.value ->> 'sampled_at')::timestamptz, s.value - 'sampled_at'
FROM jsonb_array_elements(%(samples)s) AS s
