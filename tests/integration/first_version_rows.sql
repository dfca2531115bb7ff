-- Purpose: a row of each kind as the first released schema held it. Grain: one row per table, two where an upgrade chooses.
INSERT INTO synthesis.source_record
  (source, source_key, change_token, extractor_version, record_hash, record)
VALUES ('linkedin', 'k1', '1', 'v', 'h', '{"full_name": "Ana Example"}');
INSERT INTO synthesis.candidate (created_run) VALUES ('r'), ('r');
UPDATE synthesis.candidate SET merged_into = 1 WHERE candidate_id = 2;
INSERT INTO synthesis.release (release_id, state, engine, model, model_revision, engine_profile,
  prompt_digest, schema_digest, sampling_digest, renderer_version, prompt, sampling, approved_at)
VALUES ('a', 'approved', 'e', 'm', 'v', 'prose', 'p', 's', 'd', '2', '{}', '{}', now() - interval '1 day'),
  ('b', 'approved', 'e', 'm', 'v', 'prose', 'q', 's', 'd', '2', '{}', '{}', now());
INSERT INTO synthesis.run (run_id, state, release_id) VALUES ('r', 'succeeded', 'b');
INSERT INTO synthesis.document (candidate_id, full_name, markdown, content_hash, input_hash,
  word_count, token_estimate, renderer_version, too_thin)
VALUES (1, 'Ana Example', '# Ana Example', 'c', 'i', 60, 90, '2', false);
INSERT INTO synthesis.completion (candidate_id, fingerprint, attempt_id, run_id, batch_id, release_id,
  content_hash, attempt, is_terminal, is_accepted, outcome, method, raw_text, summary, skills,
  finish_reason, prompt_tokens, completion_tokens, cached_tokens, seconds)
VALUES (1, 'f', '1.1', 'r', 1, 'b', 'c', 1, true, true, 'valid', 'model', 'raw', 'Builds payments.',
  '[{"name": "Apache Kafka", "provenance": "both"}]', 'stop', 1, 1, 0, 1);
INSERT INTO synthesis.candidate_synthesis (candidate_id, full_name, summary, skills, domains, method,
  release_id, fingerprint, content_hash, run_id)
VALUES (1, 'Ana Example', 'Builds payments.', '{Apache Kafka}', '{fintech}', 'model', 'b', 'f', 'c', 'r');
