-- Purpose: drop what earlier extracts stored of rows that are an erased person's. Inputs: source, source_keys.
-- Grain: one source row.
WITH rejected AS (
  DELETE FROM synthesis.rejected_row WHERE source = %(source)s AND source_key = ANY(%(source_keys)s)
), addressed AS (
  DELETE FROM synthesis.reader_text WHERE source = %(source)s AND source_key = ANY(%(source_keys)s)
), described AS (
  DELETE FROM synthesis.described_row WHERE source = %(source)s AND source_key = ANY(%(source_keys)s)
)
DELETE FROM synthesis.source_record WHERE source = %(source)s AND source_key = ANY(%(source_keys)s)
