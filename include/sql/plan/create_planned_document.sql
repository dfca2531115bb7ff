-- Purpose: room for the fingerprints of this plan. Grain: one row per document that may need the model.
CREATE TEMPORARY TABLE planned_document (candidate_id bigint NOT NULL, fingerprint text NOT NULL) ON COMMIT DROP
