-- Purpose: tell the tokens that a model reasoned with from those of its answer.
-- Grain: a column of an existing table. Applied once, in one transaction, by profiles.storage.migrations.

ALTER TABLE synthesis.completion
  ADD COLUMN reasoning_tokens integer NOT NULL DEFAULT 0; -- part of completion_tokens
