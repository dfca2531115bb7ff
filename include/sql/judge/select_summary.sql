-- Purpose: what may be shown of judges in a run. Grain: one judge and criterion.
SELECT judge_key, engine, model, criterion, asked, scored, status, mean_score, labels, cases, unreadable, kappa, auc
FROM synthesis.judge_summary
WHERE run_id = %(run_id)s
ORDER BY engine, model, judge_key, criterion
