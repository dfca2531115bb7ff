"""Extractive summaries, and that no text and no document makes the gate raise or linger."""

from __future__ import annotations

import json

import pytest
from benchmarks.truth import facts_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.gate_answers import (
    DOCUMENT,
    PROSE,
    SUMMARY,
    VOCABULARY,
    WORDS,
    answer,
    completion,
    judged,
    profile,
)

from profiles.models import Outcome, Profile, Rejection
from profiles.standardization.words import count_words
from profiles.synthesis.extractive import extractive_summary
from profiles.validation import judge
from profiles.validation.gate import LONGEST_ANSWER


def extracted(engine_profile=PROSE, document=DOCUMENT, words=WORDS):
    rejection = judged("nonsense", engine_profile=profile())
    return rejection, extractive_summary(
        rejection,
        document=document,
        word_count=words,
        profile=engine_profile,
        vocabulary=VOCABULARY,
    )


def test_extractive_summary_is_marked_and_says_what_was_wrong():
    _, result = extracted()
    assert result.outcome is Outcome.EXTRACTIVE
    assert result.reason == "unparsable"
    assert all(check.passed for check in result.checks)


def test_extractive_summary_holds_only_sentences_of_the_document():
    _, result = extracted()
    plain = " ".join(DOCUMENT.replace(" — ", ", ").split())
    for sentence in result.summary.split(". "):
        assert sentence.rstrip(".") in plain


def test_extractive_summary_stays_inside_the_band():
    _, result = extracted()
    band = PROSE.length.band(WORDS)
    assert band.minimum <= count_words(result.summary) <= band.maximum


def test_extractive_summary_leaves_out_dates_and_contact_data():
    document = DOCUMENT.replace(
        "- Wrote the runbooks", "- In May 2021 wrote to silas@whitlock-example.com.\n- Wrote"
    )
    _, result = extracted(document=document)
    assert "2021" not in result.summary
    assert "@" not in result.summary


def test_extractive_summary_gives_a_list_once():
    listed = "Kubernetes, PostgreSQL, Kafka, Redis, Terraform"
    document = DOCUMENT.replace("Platform Engineer at Quarry Labs", f"Platform Engineer, {listed}")
    document = document.replace("## Summary\n", f"## Summary\nHands-on with {listed}. ")
    _, result = extracted(document=document)
    assert result.outcome == Outcome.EXTRACTIVE
    assert "Kubernetes, PostgreSQL" in result.summary
    assert "Hands-on" not in result.summary


def test_extractive_summaries_of_generated_people_pass_the_gate():
    people = facts_of(120, 5)
    results = [extracted(document=f.document, words=len(f.document.split())) for f in people]
    refused = [
        person
        for person, (rejection, made) in zip(people, results, strict=True)
        if made.summary is None
    ]
    assert len(refused) <= 0.02 * len(people)


@pytest.mark.parametrize(
    "document",
    [
        "",
        "# Silas Whitlock\n",
        "# 王思远\n工程师\n\n## Summary\n候选人在上海领导一个支付团队。负责设计、开发和支持。\n",
        "# Silas\n\n## Skills\nKubernetes, PostgreSQL\n",
        "# Silas\n\n## Experience\n### Clerk — Tarn\nMar 2019 – Present\n- Since 2019.\n",
    ],
)
def test_without_a_fit_sentence_there_are_skills_and_no_summary(document):
    rejection, result = extracted(document=document)
    assert result.outcome is Outcome.EXTRACTIVE
    assert result.summary is None
    assert (result.skills, result.checks) == (rejection.skills, rejection.checks)
    assert result.reason == rejection.reason


KEYS = st.sampled_from(["skills", "summary"])
ENDS = st.integers(0, 400)
ARBITRARY = st.one_of(
    st.text(),
    st.text(alphabet='{}[]":,\\ \n-•*#<|>abcS0129%$@.'),
    st.binary().map(lambda raw: raw.decode("utf-8", "surrogateescape")),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
    ).map(json.dumps),
    st.builds(lambda text, end: text[:end], st.sampled_from([answer(), SUMMARY]), ENDS),
)  # fmt: skip


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    text=ARBITRARY,
    finish=st.sampled_from(["stop", "length", "abort", "error", "anything"]),
    engine_profile=st.sampled_from([profile(), PROSE, profile(output_schema=None)]),
)
def test_no_text_makes_the_gate_raise(text, finish, engine_profile):
    result = judged(text, engine_profile=engine_profile, finish=finish)
    assert isinstance(result, Profile | Rejection)
    (result.summary or "").encode()
    json.dumps([skill.name for skill in result.skills]).encode()
    assert all(check.passed for check in result.checks) or isinstance(result, Rejection)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(document=ARBITRARY, words=st.integers(0, 5000))
def test_no_document_makes_the_gate_raise(document, words):
    for engine_profile in (profile(), PROSE):
        result = judge(
            completion(answer() if engine_profile is not PROSE else SUMMARY),
            document=document,
            word_count=words,
            profile=engine_profile,
            vocabulary=VOCABULARY,
        )
        if isinstance(result, Rejection):
            extractive_summary(
                result,
                document=document,
                word_count=words,
                profile=engine_profile,
                vocabulary=VOCABULARY,
            )


@pytest.mark.timeout(30)
@pytest.mark.parametrize(
    "piece",
    [
        " ",
        "\n",
        "\n \t",
        "a",
        "1 ",
        "{",
        '{"skills":[',
        "- a\n",
        "<think>",
        "The Big Word and ",
        "1) a ",
        "a third of ",
        "half a third, ",
        "9, ",
    ],
)
@pytest.mark.parametrize("finish", ["stop", "length"])
def test_endless_answers_are_judged_in_little_time(piece, finish):
    for engine_profile in (profile(), PROSE):
        text = piece * (LONGEST_ANSWER // len(piece))
        assert isinstance(judged(text, engine_profile=engine_profile, finish=finish), Rejection)
