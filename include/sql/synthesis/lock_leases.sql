-- Purpose: let one session at a time hand out leases, so that "nobody else has it" stays true until commit.
-- Grain: none; the lock ends with the transaction.
SELECT pg_advisory_xact_lock(hashtextextended('profiles:lease', 0))
