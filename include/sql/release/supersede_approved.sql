-- Purpose: make room for another approved release. Inputs: release_id, the next one. Grain: at most one release.
UPDATE synthesis.release SET state = 'superseded' WHERE state = 'approved' AND release_id <> %(release_id)s
