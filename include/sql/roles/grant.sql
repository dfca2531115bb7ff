-- Purpose: what readers of the result and the operator's page may see, and nothing else. Run after every migration.
--   The reader: the serving table, its vectors and the ids that were merged away. The page: runs, people and their
--   documents, but no raw answers, identity keys, tombstones or what a reviewer wrote, and source rows only through a
--   view that leaves out contacts.
-- Grain: one table.
DO $$
DECLARE
  shown text;
BEGIN
  REVOKE ALL ON ALL TABLES IN SCHEMA synthesis FROM profiles_reader, profiles_page;
  GRANT USAGE ON SCHEMA synthesis TO profiles_reader, profiles_page;
  GRANT SELECT ON synthesis.candidate_synthesis, synthesis.candidate_redirect TO profiles_reader, profiles_page;
  GRANT SELECT ON synthesis.candidate_embedding, synthesis.candidate_score TO profiles_reader;
  GRANT EXECUTE ON FUNCTION synthesis.search_candidates(text, text[], text[], integer, real[])
    TO profiles_reader, profiles_page;
  -- The page sees what a judge says only beside its agreement.
  GRANT SELECT ON synthesis.judge_agreement, synthesis.judge_summary TO profiles_page;
  FOREACH shown IN ARRAY ARRAY[
    'batch', 'candidate', 'candidate_source', 'coverage', 'document', 'document_search', 'domain_tag', 'erasure_log',
    'experience', 'identity_decision', 'identity_event', 'lane', 'page_row', 'reader_text', 'release', 'run', 'run_item', 'run_metric',
    'run_stage', 'schema_migration', 'search_name', 'search_term', 'unknown_industry']
  LOOP
    EXECUTE format('GRANT SELECT ON synthesis.%I TO profiles_page', shown);
  END LOOP;
  SELECT string_agg(quote_ident(attname), ', ') INTO shown
  FROM pg_attribute
  WHERE attrelid = 'synthesis.completion'::regclass AND attnum > 0 AND NOT attisdropped AND attname <> 'raw_text';
  EXECUTE format('GRANT SELECT (%s) ON synthesis.completion TO profiles_page', shown);
END $$
