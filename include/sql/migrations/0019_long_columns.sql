-- Purpose: stop compressing what costs more to compress than it saves. By default Postgres compresses with pglz: three
--   quarters of the time to store a record, a document or an answer. lz4 takes a tenth of that for about the same size,
--   where the server was built with it. Where not, records and documents, which are one per row or person and can be
--   made again, lie uncompressed; answers, which are kept, stay compressed.
-- Grain: settings of columns. Nothing is rewritten; values that are there stay as they are until they are written anew.

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
    ALTER TABLE synthesis.source_record ALTER COLUMN record SET COMPRESSION lz4;
    ALTER TABLE synthesis.document
      ALTER COLUMN markdown SET COMPRESSION lz4,
      ALTER COLUMN choices SET COMPRESSION lz4;
    ALTER TABLE synthesis.completion
      ALTER COLUMN raw_text SET COMPRESSION lz4,
      ALTER COLUMN summary SET COMPRESSION lz4,
      ALTER COLUMN skills SET COMPRESSION lz4,
      ALTER COLUMN checks SET COMPRESSION lz4;
  ELSE
    ALTER TABLE synthesis.source_record ALTER COLUMN record SET STORAGE EXTERNAL;
    ALTER TABLE synthesis.document ALTER COLUMN markdown SET STORAGE EXTERNAL;
  END IF;
END $$;

-- A vector hardly shrinks; trying costs more than writing it.
ALTER TABLE synthesis.completion ALTER COLUMN search_vector SET STORAGE EXTERNAL;
