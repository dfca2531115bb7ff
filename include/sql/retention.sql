-- name: drop_of_runs
-- Purpose: drop the rows that old runs left in one table; the run itself stays with its report.
-- Inputs: the table, days, rows at a time. Grain: one row of that table.
DELETE FROM {table} AS t
WHERE t.ctid = ANY (ARRAY(
  SELECT old.ctid
  FROM {table} AS old
  JOIN synthesis.run AS r ON r.run_id = old.run_id
  WHERE r.started_at < now() - make_interval(days => %(days)s)
  LIMIT %(rows)s
  FOR UPDATE OF old SKIP LOCKED))

-- name: drop_raw
-- Purpose: drop what the model wrote, removed sentences too, once nobody will look at it any more; a refused answer loses
-- its summary and skills as well. Why sentences were removed is kept. Inputs: days, rows at a time. Grain: one completion.
UPDATE synthesis.completion AS c
SET raw_text = NULL,
    removed = (SELECT coalesce(jsonb_agg(jsonb_build_object('sentence', NULL, 'reason', r -> 'reason')), '[]')
               FROM jsonb_array_elements(c.removed) AS r),
    summary = CASE WHEN c.is_accepted THEN c.summary END,
    skills = CASE WHEN c.is_accepted THEN c.skills ELSE '[]' END,
    inferred_skills = CASE WHEN c.is_accepted THEN c.inferred_skills ELSE '{}' END
WHERE c.ctid = ANY (ARRAY(
  SELECT old.ctid
  FROM synthesis.completion AS old
  WHERE old.raw_text IS NOT NULL AND old.created_at < now() - make_interval(days => %(days)s)
  ORDER BY old.created_at
  LIMIT %(rows)s
  FOR UPDATE SKIP LOCKED))
