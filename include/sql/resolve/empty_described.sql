-- Purpose: forget the facts that were taken. Whatever an extract adds meanwhile waits for this transaction.
-- Grain: whole table.
TRUNCATE synthesis.described_row
