-- Purpose: the model's accepted answers of a run by the share of their claims that the document supports.
-- Grain: one class of scores.
SELECT
  CASE
    WHEN claims = 0 THEN 'no claim'
    WHEN supported = claims THEN 'all supported'
    WHEN supported >= 0.9 * claims THEN '90 %% or more'
    WHEN supported >= 0.8 * claims THEN '80 %% or more'
    ELSE 'below 80 %%'
  END AS score,
  count(*) AS answers
FROM synthesis.completion
WHERE run_id = %(run_id)s AND is_terminal AND method = 'model' AND outcome <> 'rejected'
GROUP BY score
ORDER BY answers DESC, score
