"""Why some rows are one person: rows, keys, evidence, decisions, history and the fields that won.

Reads what resolve and render stored and writes nothing. Only pairs that were not accepted are
compared again, because resolve keeps accepted pairs alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec
from psycopg import sql

from profiles.errors import DecisionError
from profiles.models import ReaderText
from profiles.resolution.clustering import Ref
from profiles.resolution.comparison import (
    ACCEPT,
    PAIR_LIMITS,
    compare,
)
from profiles.resolution.features import RowFeatures
from profiles.standardization.identifiers import canonical_email, member_id, public_identifier
from profiles.storage import identities as store
from profiles.storage.connection import Database
from profiles.storage.identities import read_corpus
from profiles.storage.sql_files import Connection, compose, execute, load

MAX_NEAR = 20
"""Pairs with rows of others shown: cut, refused, not compared; of each the highest score first."""
_MAX_NEAR_READ = 2_000
_VERDICTS = ("cut", "refused", "not compared")

_decode_features = msgspec.json.Decoder(RowFeatures).decode
_decode_signals = msgspec.json.Decoder(tuple[tuple[str, float], ...]).decode


@dataclass(frozen=True, slots=True)
class Key:
    """An identity key of a row. `quarantined` says why it links nobody now: "names" or "rows"."""

    kind: str
    value: str
    quarantined: str | None


@dataclass(frozen=True, slots=True)
class Row:
    """A source row of the candidate. `own_id` is the id it had before a merge."""

    source: str
    source_key: str
    observed_at: datetime | None
    extracted_at: datetime | None
    assigned_at: datetime
    rule: str
    own_id: int | None
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows and the evidence about them; `candidate_id` is the other person's, if another."""

    left: Ref
    right: Ref
    score: float
    signals: tuple[tuple[str, float], ...]
    candidate_id: int | None = None
    verdict: str = "accepted"


@dataclass(frozen=True, slots=True)
class Event:
    """A merge, split, move, retirement or return of an id."""

    run_id: str
    kind: str
    candidate_id: int
    other_id: int | None
    detail: dict[str, Any]
    happened_at: datetime


@dataclass(frozen=True, slots=True)
class Answer:
    """The newest answer about a person. `removed` are the sentences that are not published, each
    with its reason; the text is None once it is older than PROFILES_KEEP_RAW_DAYS."""

    outcome: str
    reason: str | None
    method: str
    supported: int
    claims: int
    removed: list[dict[str, Any]]
    created_at: datetime
    is_current: bool | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """All that is known about why a candidate is who it is.

    `asked_id` was merged into `candidate_id` when they differ. `near` are rows of others that share
    a key: "cut" though the pair alone was accepted, "refused" by their evidence, or "not compared",
    whose score decided nothing. `reader_text` are fields that address a reader. `fields` says which
    source won.
    """

    asked_id: int
    candidate_id: int
    created_at: datetime
    retired_at: datetime | None
    absorbed: tuple[int, ...]
    accept_score: float
    rows: tuple[Row, ...] = ()
    pairs: tuple[Pair, ...] = ()
    near: tuple[Pair, ...] = ()
    near_left_out: int = 0
    decisions: tuple[store.Decision, ...] = ()
    history: tuple[Event, ...] = ()
    fields: tuple[dict[str, Any], ...] = field(default=())
    answer: Answer | None = None
    reader_text: tuple[ReaderText, ...] = ()


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
    keys = _keys_named(whom)
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


def _keys_named(whom: str) -> list[tuple[str, str]]:
    if "@" in whom:
        email = canonical_email(whom)
        return [("email", email)] if email else []
    found = [("linkedin", public_identifier(whom)), ("member_id", member_id(whom))]
    return [(kind, value) for kind, value in found if value]


def explain(database: Database, candidate_id: int) -> Explanation:
    """Everything about one id; a merged-away one is answered by the id it was merged into."""
    with database.connect() as connection:
        asked = store.candidate_state(connection, candidate_id)
        if asked is None:
            raise store.unknown_candidate(candidate_id)
        current = asked
        if asked.current_id is not None:
            current = store.candidate_state(connection, asked.current_id) or asked
        bound = {"candidate_id": current.candidate_id}
        features, rows = _rows(connection, bound)
        near, left_out = _near(connection, features)
        return Explanation(
            asked_id=candidate_id,
            candidate_id=current.candidate_id,
            created_at=current.created_at,
            retired_at=current.retired_at,
            absorbed=tuple(
                found for (found,) in execute(connection, "explain/select_absorbed", **bound)
            ),
            accept_score=ACCEPT,
            rows=rows,
            pairs=_pairs(connection, features),
            near=near,
            near_left_out=left_out,
            decisions=tuple(store.decisions(connection, candidate_id=current.candidate_id)),
            history=tuple(
                Event(*row)
                for row in execute(
                    connection, "explain/select_events", ids=[candidate_id, current.candidate_id]
                )
            ),
            fields=_fields(connection, bound),
            answer=_newest_answer(connection, current.candidate_id),
            reader_text=_reader_text(connection, current.candidate_id),
        )


def _rows(
    connection: Connection, bound: dict[str, int]
) -> tuple[dict[int, RowFeatures], tuple[Row, ...]]:
    found = execute(connection, "explain/select_rows", **bound).fetchall()
    features = {
        row_id: _decode_features(text) for *_, row_id, text in found if row_id is not None and text
    }
    keys: dict[int, list[Key]] = {}
    for row_id, *key in execute(connection, "explain/select_keys", row_ids=list(features)):
        keys.setdefault(row_id, []).append(Key(*key))
    rows = tuple(Row(*(*row[:-2], tuple(keys.get(row[-2], ())))) for row in found)
    return features, rows


def _pairs(connection: Connection, features: dict[int, RowFeatures]) -> tuple[Pair, ...]:
    return tuple(
        Pair(features[lo].ref, features[hi].ref, score, _decode_signals(signals))
        for lo, hi, score, signals in execute(
            connection, "explain/select_pairs", row_ids=list(features)
        )
    )


def _near(connection: Connection, features: dict[int, RowFeatures]) -> tuple[tuple[Pair, ...], int]:
    bound = {
        "row_ids": list(features),
        "limit": _MAX_NEAR_READ,
        **PAIR_LIMITS,
    }
    corpus = read_corpus(connection)
    statement = compose("explain/select_near", makes_pair=sql.SQL(load("resolve/makes_pair")))
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
        other = (source, source_key)
        pairs.append(Pair(features[mine].ref, other, score, weights, candidate_id, verdict))
    pairs.sort(key=lambda pair: (_VERDICTS.index(pair.verdict), -pair.score, pair.left, pair.right))
    shown = tuple(pairs[:MAX_NEAR])
    return shown, (found[0][-1] if found else 0) - len(shown)


def _fields(connection: Connection, bound: dict[str, int]) -> tuple[dict[str, Any], ...]:
    """The document's choices; those an older renderer wrote without values wait for a render."""
    row = connection.execute(
        "SELECT choices FROM synthesis.document WHERE candidate_id = %(candidate_id)s", bound
    ).fetchone()
    return tuple(choice for choice in row[0] if "value" in choice) if row else ()


def _newest_answer(connection: Connection, candidate_id: int) -> Answer | None:
    """The newest terminal answer, else the newest one; None when there is none."""
    row = execute(connection, "explain/select_answer", candidate_id=candidate_id).fetchone()
    return Answer(*row) if row else None


def _reader_text(connection: Connection, candidate_id: int) -> tuple[ReaderText, ...]:
    """Fields of the person's rows that address a reader."""
    found = execute(connection, "page/candidate_reader_text", candidate_id=candidate_id)
    return tuple(ReaderText(*row[:4]) for row in found)
