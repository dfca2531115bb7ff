-- Purpose: forget lanes that an earlier plan of this run had and this one has not. Grain: one row per lane.
DELETE FROM synthesis.lane WHERE run_id = %(run_id)s AND lane >= %(lanes)s
