-- Purpose: make a judge known. Grain: one judge.
INSERT INTO synthesis.judge (judge_key, engine, model, model_revision, rubric_digest)
VALUES (%(judge_key)s, %(engine)s, %(model)s, %(model_revision)s, %(rubric_digest)s)
ON CONFLICT (judge_key) DO NOTHING
