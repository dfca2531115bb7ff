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
