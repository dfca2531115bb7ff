-- Purpose: the keys of the rows that take_described took. Grain: one key of one row. Fills incoming_key.
INSERT INTO incoming_key (row_id, kind, value, title_words, first_start, last_start)
SELECT u.row_id, split_part(k.line, ' ', 1), split_part(substr(k.line, strpos(k.line, ' ') + 1), E'\t', 1),
       nullif(split_part(k.line, E'\t', 2), '')::bigint, nullif(split_part(k.line, E'\t', 3), '')::smallint,
       nullif(split_part(k.line, E'\t', 4), '')::smallint
FROM unread AS u
JOIN synthesis.described_row AS d USING (source, source_key, record_hash)
CROSS JOIN LATERAL string_to_table(d.keys, E'\n') AS k (line)
WHERE d.resolver_version = %(version)s AND d.keys <> ''
  AND NOT EXISTS (SELECT FROM changed AS c WHERE c.row_id = u.row_id)
