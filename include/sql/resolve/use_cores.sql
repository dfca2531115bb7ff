-- Purpose: let the rest of this transaction read large tables on several cores, whatever the server's own costs say:
-- nothing else runs beside resolve. Grain: one transaction.
SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL parallel_setup_cost = 0;
SET LOCAL parallel_tuple_cost = 0.001
