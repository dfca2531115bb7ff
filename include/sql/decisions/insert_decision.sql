-- Purpose: record a human decision. Grain: one decision.
INSERT INTO synthesis.identity_decision (kind, candidate_id, other_id, decided_by, note)
VALUES (%(kind)s, %(candidate_id)s, %(other_id)s, %(decided_by)s, %(note)s)
RETURNING decision_id
