-- Purpose: how long a lane took to get going, what its engine said last, and how sure a model was.
-- Grain: columns of existing tables. Applied once, in one transaction, by profiles.storage.migrations.

ALTER TABLE synthesis.lane
  ADD COLUMN warm_up_seconds double precision,     -- between load and the first question
  ADD COLUMN first_batch_seconds double precision, -- from its lease until its last answer was stored
  ADD COLUMN gauges jsonb NOT NULL DEFAULT '{}';   -- the engine's last heartbeat: running, waiting, token_usage

-- Mean log-probability of an answer's tokens; null unless the engine profile asks for it.
ALTER TABLE synthesis.completion ADD COLUMN mean_logprob real;
