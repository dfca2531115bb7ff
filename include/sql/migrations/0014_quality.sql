-- Purpose: vectors of published profiles, what a judge made of some, and what people said of them.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.
-- The roles and their rights are in include/sql/roles, applied after every migration.

-- One row per published profile and embedding model. A plain array, so that no extension is needed; `embedding::vector`
-- is pgvector's, and the task that fills the table indexes it so where the extension is there. Safe to lose.
CREATE TABLE synthesis.candidate_embedding (
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  model        text NOT NULL,
  dimension    integer NOT NULL,
  fingerprint  text NOT NULL,               -- of the text, the model's files and the rule that made the text
  embedding    real[] NOT NULL,             -- of length one
  embedded_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (candidate_id, model),
  CHECK (cardinality(embedding) = dimension)
);
-- Numbers do not shrink; trying costs more than writing them.
ALTER TABLE synthesis.candidate_embedding ALTER COLUMN embedding SET STORAGE EXTERNAL;

-- Cosine of two vectors of length one, for exact search without pgvector.
CREATE FUNCTION synthesis.similarity(one real[], other real[]) RETURNS double precision
LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
RETURN (SELECT sum(pair.x::double precision * pair.y) FROM unnest(one, other) AS pair (x, y));

-- One row per judge: a model asked with one rubric. Another model, revision or rubric is another judge.
CREATE TABLE synthesis.judge (
  judge_key      text PRIMARY KEY,          -- digest of the columns below
  engine         text NOT NULL,
  model          text NOT NULL,
  model_revision text NOT NULL,
  rubric_digest  text NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now()
);

-- One row per measurement of how far a judge agrees with labels on one criterion. No personal data.
CREATE TABLE synthesis.judge_agreement (
  agreement_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  judge_key    text NOT NULL REFERENCES synthesis.judge,
  criterion    text NOT NULL CHECK (criterion IN ('faithfulness', 'completeness', 'usefulness')),
  labels       text NOT NULL,               -- which labels: a digest of the set, or whose
  cases        integer NOT NULL CHECK (cases >= 20),  -- with a readable score; fewer say nothing
  unreadable   integer NOT NULL,            -- cases without a score that fits the rubric
  kappa        double precision,            -- Cohen's, of score >= threshold against the label; null: undefined
  auc          double precision,            -- null: the labels are all alike
  threshold    integer NOT NULL,
  measured_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX judge_agreement_judge ON synthesis.judge_agreement (judge_key, criterion, measured_at);

-- One row per answer that a judge was asked about. Without a score when its answer did not fit the rubric.
CREATE TABLE synthesis.judge_score (
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  fingerprint  text NOT NULL,
  attempt_id   text NOT NULL,
  judge_key    text NOT NULL REFERENCES synthesis.judge,
  run_id       text NOT NULL,
  faithfulness smallint CHECK (faithfulness BETWEEN 1 AND 5),
  completeness smallint CHECK (completeness BETWEEN 1 AND 5),
  usefulness   smallint CHECK (usefulness BETWEEN 1 AND 5),
  scored_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (candidate_id, fingerprint, attempt_id, judge_key),
  CHECK (num_nulls(faithfulness, completeness, usefulness) IN (0, 3))
);
CREATE INDEX judge_score_run ON synthesis.judge_score (run_id);

-- What may be shown of a judge: the mean of a run beside the newest agreement on that criterion, and none without one.
CREATE VIEW synthesis.judge_summary AS
SELECT
  s.run_id, j.judge_key, j.engine, j.model, c.criterion, count(*) AS asked, count(c.score) AS scored,
  CASE WHEN a.agreement_id IS NULL THEN 'no agreement, not shown' ELSE 'shown with its agreement' END AS status,
  CASE WHEN a.agreement_id IS NOT NULL THEN round(avg(c.score), 2)::double precision END AS mean_score,
  a.labels, a.cases, a.unreadable, a.kappa, a.auc, a.measured_at
FROM synthesis.judge_score AS s
JOIN synthesis.judge AS j USING (judge_key)
CROSS JOIN LATERAL (VALUES
  ('faithfulness', s.faithfulness), ('completeness', s.completeness), ('usefulness', s.usefulness)
) AS c (criterion, score)
LEFT JOIN LATERAL (
  SELECT * FROM synthesis.judge_agreement AS g
  WHERE g.judge_key = j.judge_key AND g.criterion = c.criterion
  ORDER BY g.measured_at DESC, g.agreement_id DESC
  LIMIT 1
) AS a ON true
GROUP BY s.run_id, j.judge_key, c.criterion, a.agreement_id, a.labels, a.cases, a.unreadable, a.kappa, a.auc,
  a.measured_at;

-- One row per answer and reviewer: what a person said of it.
CREATE TABLE synthesis.review_label (
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,
  fingerprint  text NOT NULL,
  attempt_id   text NOT NULL,
  reviewer     text NOT NULL,
  run_id       text NOT NULL,
  is_faithful  boolean NOT NULL,
  is_complete  boolean NOT NULL,
  is_useful    boolean NOT NULL,
  note         text NOT NULL DEFAULT '',
  labelled_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (candidate_id, fingerprint, attempt_id, reviewer)
);
CREATE INDEX review_label_run ON synthesis.review_label (run_id);
