-- Purpose: what the gate said of the last answer about each document of a run. Grain: one row per outcome and reason.
SELECT
  CASE WHEN reason IS NULL THEN outcome ELSE outcome || ': ' || reason END AS figure,
  count(*) AS answers
FROM synthesis.completion
WHERE run_id = %(run_id)s AND is_terminal
GROUP BY figure
ORDER BY answers DESC, figure
