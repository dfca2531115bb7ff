-- Purpose: note a person's decision. Inputs: state, by; a refused release keeps when it was approved, if it ever was.
-- Grain: one release.
UPDATE synthesis.release
SET state = %(state)s, decided_at = now(), decided_by = %(by)s,
    approved_at = CASE WHEN %(state)s = 'approved' THEN now() ELSE approved_at END
WHERE release_id = %(release_id)s
