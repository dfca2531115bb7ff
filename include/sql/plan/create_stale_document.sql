-- Purpose: room for the reasons of this plan. Grain: one row per stale or forced document.
CREATE TEMPORARY TABLE stale_document (
  candidate_id bigint NOT NULL, fingerprint text NOT NULL, content_hash text NOT NULL, reason text NOT NULL,
  forced boolean NOT NULL, token_estimate integer NOT NULL, last_done_at timestamptz) ON COMMIT DROP
