-- Purpose: keep what a reviewer said of an answer; a later sheet of the same reviewer replaces it. Grain: one answer.
INSERT INTO synthesis.review_label (
  candidate_id, fingerprint, attempt_id, reviewer, run_id, is_faithful, is_complete, is_useful, note)
VALUES (%(candidate_id)s, %(fingerprint)s, %(attempt_id)s, %(reviewer)s, %(run_id)s, %(faithful)s, %(complete)s,
  %(useful)s, %(note)s)
ON CONFLICT (candidate_id, fingerprint, attempt_id, reviewer) DO UPDATE
SET is_faithful = excluded.is_faithful, is_complete = excluded.is_complete, is_useful = excluded.is_useful,
    note = excluded.note, labelled_at = now()
