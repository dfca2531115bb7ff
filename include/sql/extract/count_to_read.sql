-- Purpose: what tells how many tasks are to read a source table: its size, and how many of its rows are known by today's
-- reading rules. Inputs: the source table, source_record. Grain: one row.
SELECT (SELECT count({key}) FROM {table} AS t),
       (SELECT count(*)
        FROM synthesis.source_record
        WHERE source = %(source)s AND extractor_version = %(extractor_version)s)
