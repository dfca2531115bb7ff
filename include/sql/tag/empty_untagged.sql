-- Purpose: forget whose jobs changed, on a night that looks at everybody. Grain: one row per person and statement that changed
-- jobs of theirs.
DELETE FROM synthesis.untagged
