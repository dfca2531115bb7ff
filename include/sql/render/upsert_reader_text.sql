-- Purpose: note where a source row addresses a reader. Grain: one row and field.
INSERT INTO synthesis.reader_text (source, source_key, field, cuts)
VALUES (%(source)s, %(source_key)s, %(field)s, %(cuts)s)
ON CONFLICT (source, source_key, field) DO UPDATE SET cuts = excluded.cuts, found_at = now()
