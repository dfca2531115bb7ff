-- Purpose: working tables of one resolve, gone at its commit.
CREATE TEMP TABLE vanished (row_id bigint PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE touched_candidate (candidate_id bigint PRIMARY KEY) ON COMMIT DROP;
-- Records to read tonight, with the row_id they have or get. Grain: one source row.
CREATE TEMP TABLE unread (
  row_id bigint NOT NULL, source text NOT NULL, source_key text NOT NULL, record_hash text NOT NULL,
  is_new boolean NOT NULL
) ON COMMIT DROP;
-- Rows read tonight. Grain: one source row.
CREATE TEMP TABLE incoming (
  row_id bigint NOT NULL, source text NOT NULL, source_key text NOT NULL, record_hash text NOT NULL, name text,
  features text NOT NULL
) ON COMMIT DROP;
CREATE TEMP TABLE incoming_key (
  row_id bigint, kind text, value text, title_words bigint, first_start smallint, last_start smallint
) ON COMMIT DROP;
-- Rows whose pairs must be compared again.
CREATE TEMP TABLE changed (row_id bigint PRIMARY KEY) ON COMMIT DROP;
-- Keys whose quarantine may begin or end tonight.
CREATE TEMP TABLE touched_key (kind text, value text, PRIMARY KEY (value, kind)) ON COMMIT DROP;
CREATE TEMP TABLE generic_now (
  kind text, value text, reason text NOT NULL, PRIMARY KEY (kind, value)
) ON COMMIT DROP;
-- Rows whose person is decided again; step is the distance from a changed row.
CREATE TEMP TABLE affected (row_id bigint PRIMARY KEY, step integer NOT NULL) ON COMMIT DROP;
CREATE TEMP TABLE assigned (
  source text, source_key text, candidate_id bigint, own_id bigint, rule text, evidence jsonb
) ON COMMIT DROP;
-- Decisions that this resolve applies or takes back.
CREATE TEMP TABLE decided_anew (decision_id bigint PRIMARY KEY) ON COMMIT DROP;
-- Rows that a decision in force names; rows of one class are one person.
CREATE TEMP TABLE decided (
  source text, source_key text, class integer NOT NULL, PRIMARY KEY (source, source_key)
) ON COMMIT DROP;
CREATE TEMP TABLE unmerged (candidate_id bigint PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE new_candidate (candidate_id bigint PRIMARY KEY) ON COMMIT DROP;
CREATE TEMP TABLE merge (winner bigint, loser bigint) ON COMMIT DROP;
CREATE TEMP TABLE move (previous bigint, candidate_id bigint, source_rows integer) ON COMMIT DROP
