-- Purpose: what the operator's page reads at once for any number of people: coverage as the last report of a run
--   counted it, and refused answers by reason without touching the answers.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.

-- One row per run: the people and what is known about them when the run reported. Counts alone, no text of a person.
CREATE TABLE synthesis.coverage (
  run_id     text PRIMARY KEY REFERENCES synthesis.run,
  taken_at   timestamptz NOT NULL DEFAULT now(),
  candidates bigint NOT NULL,               -- live people: neither merged away nor without rows
  states     jsonb NOT NULL,                -- [{state, reason, candidates}]
  sources    jsonb NOT NULL,                -- [{sources, candidates}]: which tables know them together
  ages       jsonb NOT NULL,                -- [{days, candidates}]: served summaries younger than so many days
  domains    jsonb NOT NULL,                -- [{name, candidates}]
  skills     jsonb NOT NULL,                -- [{name, candidates}], the 50 most frequent
  gate       jsonb NOT NULL,                -- last answers of the run by outcome and reason
  tokens     jsonb NOT NULL                 -- of the run: model_calls, prompt, completion, cached
);
CREATE INDEX coverage_taken ON synthesis.coverage (taken_at);

CREATE INDEX run_started ON synthesis.run (started_at, run_id);

-- Only what was not simply accepted: at 475,000 answers a night the whole would be as large as the night.
CREATE INDEX completion_refused ON synthesis.completion (run_id, reason, outcome)
  WHERE is_terminal AND outcome <> 'valid';
