-- Purpose: how a query is read, and whether any document is indexed. Inputs: words. Grain: one row.
SELECT
  websearch_to_tsquery('english', %(words)s)::text AS terms,
  numnode(websearch_to_tsquery('english', %(words)s)) = 0 AS is_empty,
  EXISTS (SELECT FROM synthesis.document_search) AS has_documents,
  EXISTS (SELECT FROM synthesis.candidate_synthesis) AS has_summaries
