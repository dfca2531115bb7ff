-- Purpose: drop the counts of single unread values; check_sources names the paths that nobody reads instead.
-- Grain: none. Applied once, in one transaction, by profiles.storage.migrations.
DROP TABLE synthesis.unread_item;
