-- Purpose: the rows of a source table that are new, changed, or were read by other rules.
-- Inputs: the source table or a part of it, source_record, rejected_row. Grain: one source row,
-- with the hash of the record that is stored of it.
-- A row that can't be read any more has both a rejection and the record from before; the rejection
-- is the newer of the two.
SELECT {key}::text, {token}, r.record_hash, {columns}
FROM {rows} AS t
LEFT JOIN synthesis.source_record AS r ON r.source = %(source)s AND r.source_key = {key}::text
LEFT JOIN synthesis.rejected_row AS x ON x.source = %(source)s AND x.source_key = {key}::text
WHERE {key} IS NOT NULL
  AND {in_part}
  AND (
    coalesce(x.change_token, r.change_token) IS DISTINCT FROM {token}
    OR coalesce(x.extractor_version, r.extractor_version) IS DISTINCT FROM %(extractor_version)s
  )
