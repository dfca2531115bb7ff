"""The gate as a whole: what becomes of a completion."""

from __future__ import annotations

import dataclasses
import json

import pytest
from benchmarks.truth import facts_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from profiles.errors import SettingsError
from profiles.models import (
    Completion,
    EngineProfile,
    LengthBand,
    LengthRule,
    Method,
    Outcome,
    Profile,
    Provenance,
    Rejection,
    RejectionReason,
    RemovalReason,
    RemovedSentence,
    Sampling,
)
from profiles.standardization.skills import Vocabulary
from profiles.validation import extractive_summary, judge
from profiles.validation.form import count_words

VOCABULARY = Vocabulary.from_aliases(
    {"Kubernetes": ["K8s"], "PostgreSQL": ["Postgres"], "Terraform": [], "Apache Kafka": ["Kafka"]}
)
SCHEMA = json.dumps(
    {
        "type": "object",
        "properties": {
            "skills": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
            "summary": {"type": "string", "minLength": 1},
        },
        "required": ["skills", "summary"],
        "additionalProperties": False,
    }
)
DOCUMENT = """# Silas Whitlock
Platform Engineer at Quarry Labs
Austin, Texas, United States · 9 years of experience

## Summary
Platform engineer who runs build and deployment services for a payments company.

## Experience
### Platform Engineer — Quarry Labs
Apr 2020 – Present (5 yrs 3 mos)
- Moved nightly builds of 40 teams to Kubernetes and cut their cost by 35%.
- Wrote the runbooks for incident response and trained new colleagues in the night shift.
- Reduced the time of a release from days to hours with automated checks.

### System Administrator — Tarn Media
Feb 2016 – Mar 2020 (4 yrs 1 mo)
- Looked after PostgreSQL servers, their backups and their monitoring.

## Education
- BSc, Computer Science — Umbra University (2012–2016)

## Skills
Kubernetes, PostgreSQL, Incident Response
"""
WORDS = 110
SUMMARY = (
    "The candidate is a platform engineer who runs build and deployment services for a payments "
    "company, after four years of looking after PostgreSQL servers and their backups. At Quarry "
    "Labs the builds of 40 teams moved to Kubernetes, which cut their cost by 35 percent. The "
    "candidate also wrote runbooks for incident response and trains new colleagues."
)


def profile(**changes) -> EngineProfile:
    made = EngineProfile(
        name="test",
        version="1",
        answer="json",
        skills_from="model",
        system_prompt="",
        user_template="",
        output_schema=SCHEMA,
        length=LengthRule(LengthBand(400, 600), 600, 0.4, 0.8),
        sampling=Sampling(),
        attempts=2,
        max_document_tokens=1000,
        retry_max_new_tokens=1500,
    )
    return dataclasses.replace(made, **changes)


PROSE = profile(
    answer="prose", skills_from="document", output_schema=None,
    length=LengthRule(LengthBand(25, 120), 60, 0.4, 0.8),
)  # fmt: skip


def answer(summary=SUMMARY, skills=("K8s", "Incident Response")) -> str:
    return json.dumps({"skills": list(skills), "summary": summary})


def completion(text, finish="stop", error=None) -> Completion:
    return Completion("r1", text, finish, error=error)


def judged(text, *, engine_profile=None, finish="stop", error=None, document=DOCUMENT):
    return judge(
        completion(text, finish, error),
        document=document,
        word_count=WORDS,
        profile=engine_profile or profile(),
        vocabulary=VOCABULARY,
    )


def verdicts(result):
    return {check.name: check.passed for check in result.checks}


def test_good_answer_is_valid_with_all_verdicts():
    result = judged(answer())
    assert isinstance(result, Profile)
    assert (result.outcome, result.method, result.reason) == (Outcome.VALID, Method.MODEL, None)
    assert result.summary == SUMMARY
    assert verdicts(result) == dict.fromkeys(
        (
            "parsing", "schema", "reasoning", "language", "repetition", "lists", "length",
            "foreign_sentence", "contacts", "dates", "unfinished", "claims", "subject", "skills",
        ),
        True,
    )  # fmt: skip


def test_skills_of_the_model_and_of_the_document_are_united():
    result = judged(answer(skills=["K8s", "Incident Response", "Terraform"]))
    assert {skill.name: skill.provenance for skill in result.skills} == {
        "Kubernetes": Provenance.BOTH,
        "Incident Response": Provenance.BOTH,
        "PostgreSQL": Provenance.DOCUMENT,
    }
    assert result.inferred_skills == ("Terraform",)


def test_prose_takes_its_skills_from_the_document_alone():
    result = judged(SUMMARY, engine_profile=PROSE)
    assert result.outcome is Outcome.VALID
    assert {skill.provenance for skill in result.skills} == {Provenance.DOCUMENT}
    assert "schema" not in verdicts(result)


def test_paragraphs_become_one_line():
    result = judged(SUMMARY.replace(". At", ".\n\nAt"), engine_profile=PROSE)
    assert result.summary == SUMMARY


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("analysisWe think.assistantfinal" + answer(), "leaked_reasoning"),
        (answer()[:-1], "json"),
        ("<think>hm</think>" + answer(), "leaked_reasoning"),
    ],
)
def test_repaired_answers_say_what_was_repaired(text, reason):
    result = judged(text)
    assert (result.outcome, result.reason) == (Outcome.REPAIRED, reason)


def test_cut_summary_that_meets_its_length_is_repaired():
    text = answer()[:-2] + " In the last"
    result = judged(text, finish="length")
    assert (result.outcome, result.reason) == (Outcome.REPAIRED, "truncated")
    assert result.summary == SUMMARY
    assert "Incident Response" in {skill.name for skill in result.skills}


def test_cut_summary_that_misses_its_length_asks_for_a_larger_cap():
    text = '{"skills": ["K8s"], "summary": "The candidate is a platform engineer. The'
    result = judged(text, finish="length")
    assert (result.reason, result.retry_larger) == (RejectionReason.TRUNCATED, True)
    assert "Kubernetes" in {skill.name for skill in result.skills}


def test_cut_inside_the_skills_asks_for_a_larger_cap():
    result = judged('{"skills": ["K8s", "Incid', finish="length")
    assert (result.reason, result.retry_larger) == (RejectionReason.TRUNCATED, True)


def test_cut_prose_that_meets_its_length_is_repaired():
    result = judged(SUMMARY + " And the", engine_profile=PROSE, finish="length")
    assert (result.outcome, result.reason, result.summary) == (
        Outcome.REPAIRED,
        "truncated",
        SUMMARY,
    )


SHORT = "The candidate is a platform engineer who runs build services."
FALSE = (
    "The candidate is a platform engineer at Veltrix Motors and holds a PhD in physics. Work there "
    "cut the cost of builds by 80 percent with Terraform. The candidate has twenty-five years of "
    "experience in aviation and won an award for it. The candidate is an asset to any organisation."
)
REJECTED = [
    ("", "empty"),
    ("   \n", "empty"),
    ("no json at all", "unparsable"),
    ("<|channel|>analysis<|message|>hm", "leaked_reasoning"),
    (answer(skills=["a", "b", "c", "d", "e", "f"]), "schema"),
    (json.dumps({"skills": "K8s", "summary": SUMMARY}), "schema"),
    (json.dumps({"skills": [], "summary": SUMMARY, "name": "x"}), "schema"),
    (answer(SHORT), "too_short"),
    (answer(" ".join(SUMMARY.replace("40 teams", f"40 teams {n}") for n in "abc")), "repetition"),
    (answer(SUMMARY + " " + SUMMARY), "repetition"),
    (answer(SUMMARY.replace(". At", ".\n- At")), "contains_list"),
    (
        answer("In May 2020 the builds moved. " + SHORT * 2 + " That was in 2021. " * 3),
        "repetition",
    ),
    (answer(FALSE), "ungrounded"),
    (answer("We need to write a summary. " + SUMMARY), "leaked_reasoning"),
    (answer("候选人是一名平台工程师。" * 20), "language"),
]


@pytest.mark.parametrize(("text", "reason"), REJECTED)
def test_bad_answers_are_rejected_with_their_reason(text, reason):
    result = judged(text)
    assert isinstance(result, Rejection)
    assert result.reason == reason
    assert result.retry_larger is False


@pytest.mark.parametrize(("finish", "error"), [("error", None), ("abort", None), ("stop", "boom")])
def test_failed_requests_are_engine_errors(finish, error):
    assert judged(answer(), finish=finish, error=error).reason is RejectionReason.ENGINE_ERROR


def test_too_long_answers_are_rejected():
    long = " ".join(f"The builds of team {name} run at night in a cluster." for name in LONG_NAMES)
    assert judged(answer(SUMMARY + " " + long)).reason in ("too_long", "repetition")


LONG_NAMES = ("blue", "red", "green", "white", "black", "grey", "brown", "pink", "gold", "amber")


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("The candidate worked at Veltrix Motors before that.", RemovalReason.NAME),
        ("The candidate holds a PhD.", RemovalReason.EDUCATION),
        ("Costs of the builds fell by 80 percent.", RemovalReason.FIGURE),
        ("In May 2020 the builds moved to a cluster.", RemovalReason.FORM),
        ("Questions go to silas.whitlock@gmail.com at any time.", RemovalReason.FORM),
        ("El candidato dirige los servicios de la empresa con un equipo.", RemovalReason.FORM),
        ("The builds of the night shift were", RemovalReason.FORM),
    ],
)
def test_a_faulty_sentence_is_removed_and_the_rest_published(sentence, reason):
    result = judged(answer(f"{SUMMARY} {sentence}"))
    assert (result.outcome, result.reason) == (Outcome.REPAIRED, "removed_sentences")
    assert result.summary == SUMMARY
    assert result.removed == (RemovedSentence(sentence, reason),)


def test_score_counts_supported_claims():
    true, false = judged(answer()), judged(answer(SUMMARY + " The candidate holds a PhD."))
    assert 0 < true.supported == true.claims
    assert (false.supported, false.claims) == (true.supported, true.claims + 1)


def test_a_check_can_be_left_out_to_measure_it():
    text = answer(SUMMARY + " The candidate holds a PhD.")
    result = judge(
        completion(text),
        document=DOCUMENT,
        word_count=WORDS,
        profile=profile(),
        vocabulary=VOCABULARY,
        without=("degrees",),
    )
    assert result.outcome is Outcome.VALID


@pytest.mark.parametrize("text", [text for text, _ in REJECTED])
def test_details_of_a_rejection_quote_nothing(text):
    result = judged(text)
    kept = " ".join([result.detail, *(check.detail for check in result.checks)]).lower()
    for word in ("whitlock", "quarry", "veltrix", "platform", "gmail", "silas"):
        assert word not in kept


def test_rejections_carry_the_skills_of_the_document():
    found = {skill.name for skill in judged("nonsense").skills}
    assert found == {"Kubernetes", "PostgreSQL", "Incident Response"}


def test_a_broken_schema_is_a_broken_job():
    with pytest.raises(SettingsError, match=r"schema\.json"):
        judged(answer(), engine_profile=profile(output_schema='{"type": 12}'))


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
    assert (result.method, result.outcome) == (Method.EXTRACTIVE, Outcome.EXTRACTIVE)
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
        if made is rejection
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
def test_documents_without_fit_sentences_keep_their_rejection(document):
    rejection, result = extracted(document=document)
    assert result is rejection


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
    ],
)
@pytest.mark.parametrize("finish", ["stop", "length"])
def test_endless_answers_are_judged_in_little_time(piece, finish):
    for engine_profile in (profile(), PROSE):
        text = piece * (20_000 // len(piece))
        assert isinstance(judged(text, engine_profile=engine_profile, finish=finish), Rejection)


def test_a_text_about_something_else_is_rejected_although_no_sentence_is_refuted():
    text = (
        "Requests wait in a queue until the scheduler has room for them, and the longest of them "
        "go first. A page of the table shows how often that happened. What the cache holds is kept "
        "on a volume, so that a new container starts sooner. Readers see the old rows until then, "
        "and the others wait for a lock that is held for a moment only."
    )
    result = judged(answer(text))
    assert isinstance(result, Rejection)
    assert result.reason is RejectionReason.UNGROUNDED
    assert not verdicts(result)["subject"]
