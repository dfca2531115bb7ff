-- Purpose: let pgvector find near vectors of one model without reading all. A query repeats the expression and names
--   the model, see docs/quality.md. Inputs: the index's name, pgvector's schema, the model. Grain: one index.
CREATE INDEX IF NOT EXISTS {index} ON synthesis.candidate_embedding
USING hnsw ((embedding::{schema}.vector({dimension})) {schema}.vector_cosine_ops) WHERE model = {model}
