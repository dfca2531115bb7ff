-- Purpose: stop compressing what costs more to compress than it saves. By default Postgres compresses with pglz: half
--   of the time to store a record or a document, or more. lz4 takes next to none for about the same size, where the server
--   was built with it. Where not, records and documents lie uncompressed: there is one per row or person, and they can be
--   made again. The texts of answers, which are kept and come at the pace of a model, stay as they were.
-- Grain: settings of columns. Nothing is rewritten; values that are there stay as they are until they are written anew.

DO $$
BEGIN
  IF EXISTS (SELECT FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)) THEN
    ALTER TABLE synthesis.source_record ALTER COLUMN record SET COMPRESSION lz4;
    ALTER TABLE synthesis.document
      ALTER COLUMN markdown SET COMPRESSION lz4,
      ALTER COLUMN choices SET COMPRESSION lz4;
  ELSE
    ALTER TABLE synthesis.source_record ALTER COLUMN record SET STORAGE EXTERNAL;
    ALTER TABLE synthesis.document ALTER COLUMN markdown SET STORAGE EXTERNAL;
  END IF;
END $$;

-- A vector hardly shrinks; trying costs more than writing it.
ALTER TABLE synthesis.completion ALTER COLUMN search_vector SET STORAGE EXTERNAL;
