-- Purpose: let pgvector find near vectors of one model without reading all. A query repeats the expression and names
--   the model, see docs/how-to/search.md. Inputs: the index's name, pgvector's schema, the model. Grain: one index.
-- Built once, in memory: with too little of it for 475,000 vectors pgvector goes on vector by vector, six times as
-- slow. Alone, because workers would share that memory in /dev/shm, of which a container has 64 MB.
SET LOCAL maintenance_work_mem = '1GB';
SET LOCAL max_parallel_maintenance_workers = 0;
CREATE INDEX IF NOT EXISTS {index} ON synthesis.candidate_embedding
USING hnsw ((embedding::{schema}.vector({dimension})) {schema}.vector_cosine_ops) WHERE model = {model}
