-- Purpose: whether one of these transactions has not ended. Inputs: transactions, as pg_locks names them. Grain: one row.
SELECT EXISTS (SELECT FROM pg_locks WHERE virtualtransaction = ANY (%(transactions)s))
