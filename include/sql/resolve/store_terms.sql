-- Purpose: keep the frequencies that tonight's pairs are weighed by. Grain: one term.
TRUNCATE synthesis.term_frequency;
INSERT INTO synthesis.term_frequency (term, frequency) SELECT term, frequency FROM term_now
