-- Purpose: the items of a run, in the order in which lanes take them: never synthesised first, then the stalest.
-- Inputs: temporary table stale_document; limit, null for none, counts items that are done already; held, the
--   reasons that wait for an approval.
-- Grain: one row per planned document; those held or beyond the limit are put off.
INSERT INTO synthesis.run_item (
  run_id, candidate_id, fingerprint, content_hash, reason, priority, forced, deferred, token_estimate)
SELECT
  %(run_id)s, s.candidate_id, s.fingerprint, s.content_hash, s.reason, s.n, s.forced,
  s.is_held OR coalesce(s.n + kept.n > %(limit)s::bigint, false), s.token_estimate
FROM (
  SELECT *, row_number() OVER (ORDER BY is_held, last_done_at ASC NULLS FIRST, candidate_id) AS n
  FROM (SELECT *, reason = ANY(%(held)s::text[]) AS is_held FROM stale_document) AS d
) AS s
CROSS JOIN (SELECT count(*) AS n FROM synthesis.run_item WHERE run_id = %(run_id)s) AS kept
