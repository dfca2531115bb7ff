-- Purpose: releases that wait for approval, and that can be asked under after their files have changed; why a
--   document changed; rejected documents that a person asked to try again.
-- Grain: stated above each column. Applied once, in one transaction, by profiles.storage.migrations.

ALTER TABLE synthesis.release DROP CONSTRAINT release_state_check;

-- One release is approved at a time: the one that was approved last.
UPDATE synthesis.release AS r
SET state = 'superseded'
WHERE r.state = 'retired'
   OR r.state = 'approved' AND EXISTS (
     SELECT FROM synthesis.release AS newer
     WHERE newer.state = 'approved' AND (newer.approved_at, newer.release_id) > (r.approved_at, r.release_id));

ALTER TABLE synthesis.release
  ADD CONSTRAINT release_state_check CHECK (state IN ('proposed', 'canary', 'approved', 'superseded', 'refused')),
  ADD COLUMN profile    jsonb,              -- profiles.models.EngineProfile; null: stored before this migration
  ADD COLUMN model_path text,               -- where the model lay on the host that registered the release
  ADD COLUMN is_pinned  boolean NOT NULL DEFAULT false,  -- the revision is PROFILES_MODEL_REVISION, not derived
  ADD COLUMN decided_at timestamptz,        -- when it was approved or refused last
  ADD COLUMN decided_by text,               -- who: a user of Airflow or of the machine, or `first release`
  ADD COLUMN canary     jsonb;              -- ids, counts and gate verdicts of its last canary; no profile text
CREATE UNIQUE INDEX release_approved ON synthesis.release (state) WHERE state = 'approved';

-- When the source rows behind a document, or their membership, changed last; the renderer moves it not.
ALTER TABLE synthesis.document ADD COLUMN source_changed_at timestamptz NOT NULL DEFAULT now();

-- When a person asked to try a rejected document again; is_terminal is false from then on.
ALTER TABLE synthesis.completion ADD COLUMN retried_at timestamptz;

-- What whoever looks at a run should know of its plan, such as a release that waits for approval.
ALTER TABLE synthesis.run ADD COLUMN notice text;
