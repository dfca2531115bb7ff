-- Purpose: read what the industry table says about companies. Inputs: the deployment's industry table.
-- Grain: one row per claim of one vendor about one company.
SELECT {columns}
FROM {table}
