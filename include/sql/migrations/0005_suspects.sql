-- Purpose: remember how far the search for a request that ends engines has come, for the lane that goes on with it.
-- Grain: columns of existing tables. Applied once, in one transaction, by profiles.storage.migrations.

ALTER TABLE synthesis.run_item
  ADD COLUMN died_among integer NOT NULL DEFAULT 0; -- how many items were suspected at its last engine death
