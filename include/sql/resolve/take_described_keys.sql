-- Purpose: the keys of the rows that take_described took. Grain: one key of one row. Fills incoming_key.
INSERT INTO incoming_key (row_id, kind, value)
SELECT u.row_id, split_part(k.line, ' ', 1), substr(k.line, strpos(k.line, ' ') + 1)
FROM unread AS u
JOIN synthesis.described_row AS d USING (source, source_key, record_hash)
CROSS JOIN LATERAL string_to_table(d.keys, E'\n') AS k (line)
WHERE d.resolver_version = %(version)s AND d.keys <> ''
