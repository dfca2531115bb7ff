-- Purpose: what people said of answers beside what one judge scored them. Inputs: judge_key.
-- Grain: one label of an answer that the judge was asked about.
SELECT s.faithfulness, l.is_faithful, s.completeness, l.is_complete, s.usefulness, l.is_useful
FROM synthesis.review_label AS l
JOIN synthesis.judge_score AS s USING (candidate_id, fingerprint, attempt_id)
WHERE s.judge_key = %(judge_key)s
