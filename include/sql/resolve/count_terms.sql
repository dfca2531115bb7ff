-- Purpose: how many rows hold each term, and how many rows there are (''), as whole part of log2. Grain: one term.
CREATE TEMP TABLE term_now ON COMMIT DROP AS
SELECT t.term, floor(ln(count(*)) / ln(2) + 1e-9)::smallint AS frequency
FROM synthesis.identity_row AS r
CROSS JOIN LATERAL unnest(array_append(coalesce(r.terms, ARRAY[]::text[]), ''::text)) AS t (term)
GROUP BY t.term
HAVING count(*) >= %(least)s OR t.term = ''
