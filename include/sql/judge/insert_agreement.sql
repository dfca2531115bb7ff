-- Purpose: keep how far a judge agrees with labels. Grain: one criterion.
INSERT INTO synthesis.judge_agreement (judge_key, criterion, labels, cases, unreadable, kappa, auc, threshold)
VALUES (%(judge_key)s, %(criterion)s, %(labels)s, %(cases)s, %(unreadable)s, %(kappa)s, %(auc)s, %(threshold)s)
