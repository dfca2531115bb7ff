-- name: insert_decision
-- Purpose: record a human decision. Grain: one decision.
INSERT INTO synthesis.identity_decision (kind, candidate_id, other_id, decided_by, note)
VALUES (%(kind)s, %(candidate_id)s, %(other_id)s, %(decided_by)s, %(note)s)
RETURNING decision_id

-- name: revoke
-- Purpose: take a decision back; the next resolve applies that. Grain: one decision.
UPDATE synthesis.identity_decision
SET revoked_at = now(), revoked_by = %(revoked_by)s, applied_at = NULL
WHERE decision_id = %(decision_id)s AND revoked_at IS NULL

-- name: select_candidate
-- Purpose: whether an id exists, answers for itself, or under which id it answers now.
-- Grain: one candidate.
SELECT c.candidate_id, d.current_id, c.retired_at, c.created_at
FROM synthesis.candidate AS c
LEFT JOIN synthesis.candidate_redirect AS d USING (candidate_id)
WHERE c.candidate_id = %(candidate_id)s

-- name: select_constraints
-- Purpose: the constraints of all decisions in force. Grain: one pair of source rows.
SELECT c.decision_id, c.relation = 'together', c.left_source, c.left_key, c.right_source, c.right_key
FROM synthesis.identity_constraint AS c
JOIN synthesis.identity_decision AS d USING (decision_id)
WHERE d.revoked_at IS NULL
ORDER BY c.decision_id, c.left_source, c.left_key, c.right_source, c.right_key

-- name: select_decisions
-- Purpose: human decisions, newest first; all of them, or those that name a row of one candidate.
-- Grain: one decision.
SELECT d.decision_id, d.kind, d.candidate_id, d.other_id, d.decided_by, d.decided_at, d.note,
       d.revoked_by, d.revoked_at, d.applied_at
FROM synthesis.identity_decision AS d
WHERE %(candidate_id)s::bigint IS NULL
   OR EXISTS (
     SELECT
     FROM synthesis.candidate_source AS s
     JOIN synthesis.identity_constraint AS c
       ON (c.left_source, c.left_key) = (s.source, s.source_key)
       OR (c.right_source, c.right_key) = (s.source, s.source_key)
     WHERE s.candidate_id = %(candidate_id)s AND c.decision_id = d.decision_id
   )
ORDER BY d.decision_id DESC

-- name: select_numbered_rows
-- Purpose: the rows of a candidate with the numbers that name them without saying whose they are.
-- Grain: one source row that resolution has read.
SELECT i.row_id, s.source, s.source_key
FROM synthesis.candidate_source AS s
JOIN synthesis.identity_row AS i USING (source, source_key)
WHERE s.candidate_id = %(candidate_id)s

-- name: select_rows
-- Purpose: the rows of a candidate. Grain: one source row.
SELECT source, source_key FROM synthesis.candidate_source
WHERE candidate_id = %(candidate_id)s
ORDER BY source, source_key
