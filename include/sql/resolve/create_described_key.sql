-- Purpose: the keys of the rows that store_described stored, see take_described_keys, in order of their values. It
-- reads no working table, so that the server may split and sort on several cores. Grain: one key of one row.
CREATE TEMP TABLE described_key ON COMMIT DROP AS
SELECT r.row_id, split_part(k.line, ' ', 1) AS kind,
       split_part(substr(k.line, strpos(k.line, ' ') + 1), E'\t', 1) AS value,
       nullif(split_part(k.line, E'\t', 2), '')::bigint AS title_words,
       nullif(split_part(k.line, E'\t', 3), '')::smallint AS first_start,
       nullif(split_part(k.line, E'\t', 4), '')::smallint AS last_start
FROM synthesis.identity_row AS r
JOIN synthesis.described_row AS d USING (source, source_key, record_hash, resolver_version)
CROSS JOIN LATERAL string_to_table(d.keys, E'\n') AS k (line)
WHERE r.row_id >= %(first_row)s AND r.resolver_version = %(version)s AND d.keys <> ''
ORDER BY value, kind
