-- Purpose: keep the facts that extract derived as they are until empty_described: rows and keys are taken by two
-- statements. Grain: whole table.
LOCK TABLE synthesis.described_row IN ACCESS EXCLUSIVE MODE
