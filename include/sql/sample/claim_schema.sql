-- Purpose: create the sample's schema and mark it as the sample's. Inputs: schema, mark. Grain: one schema.
CREATE SCHEMA {schema};
COMMENT ON SCHEMA {schema} IS {mark}
