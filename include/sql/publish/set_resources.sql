-- Purpose: what this transaction may use of the server. One plan step or index build stays below 256 MB; a hash
-- shared by workers lies in /dev/shm, of which a container has 64 MB; compiling a query takes longer than running it.
-- Grain: one transaction.
SET LOCAL work_mem = '64MB';
SET LOCAL maintenance_work_mem = '256MB';
SET LOCAL enable_parallel_hash = off;
SET LOCAL jit = off
