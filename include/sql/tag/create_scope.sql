-- Purpose: hold the people to look at. Grain: one row per candidate.
CREATE TEMPORARY TABLE scope (candidate_id bigint PRIMARY KEY) ON COMMIT DROP
