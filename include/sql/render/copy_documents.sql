-- Purpose: load rendered documents. Inputs: {table}, the table of documents or the landing table of those that are there
-- already. Grain: one row per candidate.
COPY {table} (
  candidate_id, full_name, markdown, content_hash, input_hash, word_count, token_estimate,
  renderer_version, as_of, choices, trimmed, too_thin,
  title, employer, place, country, years_of_experience
) FROM STDIN (FORMAT BINARY)
