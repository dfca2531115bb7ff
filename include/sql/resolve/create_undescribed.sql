-- Purpose: the records to read that extract left no facts of, named before the first of them is read: the table
-- incoming grows while they are, and a cursor that looked into it would read it again for each. Grain: one source row.
CREATE TEMP TABLE undescribed ON COMMIT DROP AS
SELECT u.row_id, u.source, u.source_key
FROM unread AS u
WHERE NOT EXISTS (SELECT FROM incoming AS i WHERE i.row_id = u.row_id)
  AND NOT EXISTS (SELECT FROM changed AS c WHERE c.row_id = u.row_id)
