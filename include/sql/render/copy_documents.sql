-- Purpose: load rendered documents. Grain: one row per candidate.
COPY document_in (
  candidate_id, full_name, markdown, content_hash, input_hash, word_count, token_estimate,
  renderer_version, as_of, choices, trimmed, too_thin
) FROM STDIN
