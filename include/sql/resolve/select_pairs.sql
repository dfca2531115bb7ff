-- Purpose: the pairs to compare, those of one row together. Grain: one pair.
SELECT lo, hi FROM pair ORDER BY lo, hi
