-- Purpose: one run, with those parts of its report that are small; they are null before it reported. Grain: one row.
SELECT
  r.run_id, r.state, r.publishes, r.params, r.settings, r.release_id, r.candidates, r.fresh, r.too_thin, r.planned,
  r.stop_at, r.started_at, r.planned_at, r.published_at, r.published, r.withdrawn, r.ended_at, r.error, r.notice,
  now() AS now,
  extract(epoch FROM coalesce(r.ended_at, now()) - r.started_at)::double precision AS seconds,
  l.engine, l.model, l.engine_profile,
  r.report -> 'buckets' AS reported_buckets,
  r.report -> 'gate' AS reported_gate,
  r.report -> 'reader_text' AS reported_reader_text,
  r.report -> 'stale' AS reported_stale,
  r.report -> 'gpus' AS reported_cards,
  (r.report ->> 'energy_kwh')::double precision AS energy_kwh
FROM synthesis.run AS r
LEFT JOIN synthesis.release AS l ON l.release_id = r.release_id
WHERE r.run_id = %(run_id)s
