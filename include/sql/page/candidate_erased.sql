-- Purpose: whether an id was erased, and when. Inputs: candidate_id. Grain: one erasure.
SELECT erasure_id, erased_at FROM synthesis.erasure_log WHERE %(candidate_id)s = ANY (candidate_ids)
