-- Purpose: of two holders m and o of one name-and-employer key, whether what they say of their jobs there can be one
-- job; of any other key true. Part of find_pairs, find_all_pairs and explain.
-- Grain: one pair of keys.
CASE
  WHEN m.title_words IS NULL OR o.title_words IS NULL THEN true
  WHEN m.title_words & o.title_words IN (m.title_words, o.title_words) THEN (
    m.first_start <= o.last_start + %(near_months)s AND o.first_start <= m.last_start + %(near_months)s
  ) IS NOT FALSE
  ELSE abs(m.first_start - o.first_start) <= %(same_months)s OR abs(m.last_start - o.last_start) <= %(same_months)s
END
