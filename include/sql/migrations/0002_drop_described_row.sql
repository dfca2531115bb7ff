-- Purpose: drop the facts that extract handed to resolve; resolve derives them from the records itself.
-- Grain: none. Applied once, in one transaction, by profiles.storage.migrations.
DROP TABLE synthesis.described_row;
