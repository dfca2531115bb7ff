-- Purpose: what people decided about identity, and the ids that merged-away rows had.
-- Grain: stated above each table. Applied once, in one transaction, by profiles.storage.migrations.

-- One row per human decision about who is who; the next resolve applies it. Never safe to lose.
CREATE TABLE synthesis.identity_decision (
  decision_id  bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind         text NOT NULL CHECK (kind IN ('merge', 'split')),
  candidate_id bigint NOT NULL REFERENCES synthesis.candidate,  -- as named when it was decided
  other_id     bigint REFERENCES synthesis.candidate,           -- the second one of a merge
  decided_by   text NOT NULL,
  decided_at   timestamptz NOT NULL DEFAULT now(),
  note         text NOT NULL DEFAULT '',
  revoked_by   text,
  revoked_at   timestamptz,
  applied_at   timestamptz                 -- null: the next resolve applies it, or its revocation
);

-- One row per pair of source rows that a decision holds together or apart. Rows, not candidates, so
-- that a decision outlives every re-run.
CREATE TABLE synthesis.identity_constraint (
  decision_id  bigint NOT NULL REFERENCES synthesis.identity_decision,
  relation     text NOT NULL CHECK (relation IN ('together', 'apart')),
  left_source  text NOT NULL,
  left_key     text NOT NULL,
  right_source text NOT NULL,
  right_key    text NOT NULL,
  PRIMARY KEY (decision_id, left_source, left_key, right_source, right_key)
);

-- The id that a row had before its candidate was merged away; null where it never was. Lets the id
-- come back with its rows when the merge is undone.
ALTER TABLE synthesis.candidate_source ADD COLUMN own_id bigint REFERENCES synthesis.candidate;

CREATE INDEX identity_event_candidate ON synthesis.identity_event (candidate_id);
CREATE INDEX identity_event_other ON synthesis.identity_event (other_id) WHERE other_id IS NOT NULL;
