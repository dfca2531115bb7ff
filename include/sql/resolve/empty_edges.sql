-- Purpose: drop all pairs, on a night that compares every row again. Grain: whole table. Fills affected.
TRUNCATE synthesis.identity_edge;
INSERT INTO affected (row_id, step) SELECT row_id, 0 FROM synthesis.identity_row
