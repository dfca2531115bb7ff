"""Why some rows are one person: rows, keys, evidence, decisions, history and the fields that won.
Only pairs that were not accepted are compared again, because resolve keeps accepted pairs alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from psycopg import sql

from profiles.errors import DecisionError
from profiles.resolution.clustering import Ref
from profiles.resolution.comparison import ACCEPT, PAIR_LIMITS, compare
from profiles.resolution.features import RowFeatures
from profiles.standardization.identifiers import canonical_email, member_id, public_identifier
from profiles.storage import identities as store
from profiles.storage.connection import Database
from profiles.storage.identities import read_corpus
from profiles.storage.sql_files import Connection, compose, execute, load, record, records

MAX_NEAR = 20
"""Pairs with rows of others shown: cut, refused, not compared; of each the highest score first."""
_MAX_NEAR_READ = 2_000
_VERDICTS = ("cut", "refused", "not compared")

_decode_features = msgspec.json.Decoder(RowFeatures).decode
_decode_signals = msgspec.json.Decoder(tuple[tuple[str, float], ...]).decode


def find(database: Database, whom: str) -> int:
    """The candidate id named by an id, an e-mail address or a LinkedIn URL."""
    found = owners(database, whom)
    if len(found) > 1:
        raise DecisionError(
            f"{len(found)} candidates have this key: {', '.join(map(str, found[:20]))}; name one "
            "of the ids"
        )
    return found[0]


def owners(database: Database, whom: str) -> list[int]:
    """Everybody who has this id, e-mail address or LinkedIn URL, one at least."""
    if whom.isascii() and whom.isdigit():
        return [int(whom)]
    named = (
        [("email", canonical_email(whom))]
        if "@" in whom
        else [("linkedin", public_identifier(whom)), ("member_id", member_id(whom))]
    )
    keys = [(kind, value) for kind, value in named if value]
    if not keys:
        raise DecisionError(
            "this is not a candidate id, e-mail address or LinkedIn URL; give one of the three"
        )
    wanted = {"kinds": [kind for kind, _ in keys], "values": [value for _, value in keys]}
    with database.connect() as connection:
        found = execute(connection, "explain/select_owners", **wanted).fetchall()
    if not found:
        raise DecisionError(
            f"no candidate has this {keys[0][0]} key. Role mailboxes are not keys, and a row is "
            "known only after the run that read it"
        )
    return [int(candidate_id) for (candidate_id,) in found]


def explain(database: Database, candidate_id: int) -> dict[str, Any]:
    """Everything about one id; a merged-away one is answered by the id it was merged into.

    `near` are rows of others that share a key: "cut" though the pair alone was accepted, "refused"
    by their evidence, or "not compared", whose score decided nothing. `fields` says which source
    won; the text of a removed sentence is None once it is older than PROFILES_KEEP_RAW_DAYS.
    """
    with database.connect() as connection:
        current = store.known_candidate(connection, candidate_id)
        if current["current_id"] is not None:
            current = store.known_candidate(connection, current["current_id"])
        here = current["candidate_id"]
        rows = records(connection, "explain/select_rows", candidate_id=here)
        known = [(row.pop("row_id"), row.pop("features")) for row in rows]
        features = {row_id: _decode_features(text) for row_id, text in known if text}
        near, left_out = _near(connection, features)
        absorbed = execute(connection, "explain/select_absorbed", candidate_id=here)
        document = execute(connection, "explain/select_choices", candidate_id=here).fetchone()
        return {
            "asked_id": candidate_id,
            "candidate_id": here,
            "created_at": current["created_at"],
            "retired_at": current["retired_at"],
            "absorbed": [found for (found,) in absorbed],
            "accept_score": ACCEPT,
            "rows": rows,
            "pairs": [
                _pair(features[lo].ref, features[hi].ref, score, _decode_signals(signals))
                for lo, hi, score, signals in execute(
                    connection, "explain/select_pairs", row_ids=list(features)
                )
            ],
            "near": near,
            "near_left_out": left_out,
            "decisions": records(connection, "decisions/select_decisions", candidate_id=here),
            "history": records(connection, "explain/select_events", ids=[candidate_id, here]),
            "fields": document[0] if document else [],
            "answer": record(connection, "explain/select_answer", candidate_id=here),
            "reader_text": records(connection, "page/candidate_reader_text", candidate_id=here),
        }


def _pair(
    left: Ref, right: Ref, score: float, signals: Sequence[tuple[str, float]], **more: object
) -> dict[str, Any]:
    """Two rows and the evidence about them; `candidate_id` is the other person's, if another."""
    found = {"left": left, "right": right, "score": score, "signals": signals}
    return {**found, "candidate_id": None, "verdict": "accepted", **more}


def _near(
    connection: Connection, features: dict[int, RowFeatures]
) -> tuple[list[dict[str, Any]], int]:
    """The pairs to show, and how many more there are."""
    bound = {"row_ids": list(features), "limit": _MAX_NEAR_READ, **PAIR_LIMITS}
    corpus = read_corpus(connection)
    parts = {name: sql.SQL(load(f"resolve/{name}")) for name in ("may_be_one_job", "pair_points")}
    statement = compose("explain/select_near", **parts)
    found = connection.execute(statement, bound).fetchall()
    pairs = []
    for mine, source, source_key, candidate_id, text, is_made, score, signals, _ in found:
        # What resolve stored, not what the rules of today would say: that is what made the persons.
        if score is not None:
            weights, verdict = _decode_signals(signals), "cut"
        else:
            evidence = compare(features[mine], _decode_features(text), corpus)
            verdict = "refused" if is_made and not evidence.accepted else "not compared"
            score, weights = evidence.score, evidence.signals
        other, whose = (source, source_key), {"candidate_id": candidate_id, "verdict": verdict}
        pairs.append(_pair(features[mine].ref, other, score, weights, **whose))

    def place(pair: dict[str, Any]) -> tuple[Any, ...]:
        return _VERDICTS.index(pair["verdict"]), -pair["score"], pair["left"], pair["right"]

    shown = sorted(pairs, key=place)[:MAX_NEAR]
    return shown, (found[0][-1] if found else 0) - len(shown)
