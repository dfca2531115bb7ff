"""Reading a model's raw text: leaked reasoning, JSON, repair, cut answers, prose."""

from __future__ import annotations

import json

import pytest

from profiles.models import RejectionReason
from profiles.validation.parsing import (
    Answer,
    Repair,
    parse_json,
    parse_prose,
    strip_reasoning,
)

ANSWER = '{"skills": ["Go"], "summary": "Runs payment services."}'
HARMONY = (
    "<|channel|>analysis<|message|>Let me see<|end|><|start|>assistant<|channel|>final<|message|>"
)


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (ANSWER, ANSWER),
        (HARMONY + ANSWER + "<|return|>", ANSWER),
        (f"analysisWe need JSON. Count words.assistantfinal{ANSWER}", ANSWER),
        (f"<think>He is an engineer.</think>\n{ANSWER}", ANSWER),
        (f"I should be brief.</think>{ANSWER}", ANSWER),
        (f"{ANSWER}\n<think>Is it good?</think>", ANSWER),
        (f"{ANSWER}<|im_end|>", ANSWER),
        (f"{ANSWER}</s>", ANSWER),
        ("Analysis of markets is her work.", "Analysis of markets is her work."),
        ("Final responsibility for payments.", "Final responsibility for payments."),
    ],
)
def test_reasoning_is_stripped_from_around_the_answer(raw, text):
    assert strip_reasoning(raw).text == text


@pytest.mark.parametrize(
    "raw",
    [
        "<|channel|>analysis<|message|>The user wants a summary",
        "analysisWe need to write a summary of a nurse.",
        "analysis The user asks for JSON with two keys.",
        "<think>She is a nurse, so I will",
        "<thinking>first the skills",
        "commentaryLet us produce the object.",
        f"{ANSWER[:20]}<|constrain|>json",
    ],
)
def test_reasoning_without_an_answer_is_said_to_be_that(raw):
    assert strip_reasoning(raw) is RejectionReason.LEAKED_REASONING


@pytest.mark.parametrize("raw", [ANSWER, ANSWER + "<|return|>", "  " + ANSWER + "\n"])
def test_end_markers_and_spaces_are_not_leaks(raw):
    assert strip_reasoning(raw).leaked is False


def test_stripped_channels_count_as_leak():
    assert strip_reasoning(f"analysisHm.assistantfinal{ANSWER}").leaked is True


@pytest.mark.parametrize(
    "raw",
    [
        ANSWER,
        f"```json\n{ANSWER}\n```",
        f"Here is the JSON:\n{ANSWER}",
        f"\n\n{ANSWER}\n",
        '{"summary": "Runs payment services.", "skills": ["Go"]}',
        '{"skills":["Go"],"summary":"Runs payment services."}',
    ],
)
def test_whole_objects_parse_without_repair(raw):
    answer = parse_json(raw, was_cut=False)
    assert (answer.summary, answer.skills, answer.repair) == (
        "Runs payment services.",
        ("Go",),
        None,
    )


@pytest.mark.parametrize(
    "raw",
    [
        "{'skills': ['Go'], 'summary': 'Runs payment services.'}",
        '{"skills": ["Go",], "summary": "Runs payment services.",}',
        '{"skills": ["Go"] "summary": "Runs payment services."}',
        '{"skills": ["Go"], "summary": "Runs payment services."',
        '{skills: ["Go"], summary: "Runs payment services."}',
        '{"skills": ["Go"], "summary": "Runs payment services."} // done',
    ],
)
def test_small_faults_are_repaired_where_nothing_was_cut(raw):
    answer = parse_json(raw, was_cut=False)
    assert (answer.summary, answer.skills) == ("Runs payment services.", ("Go",))
    assert answer.repair is Repair.JSON


@pytest.mark.parametrize(
    "raw",
    [
        "Runs payment services.",
        "[1, 2, 3]",
        "{}",
        "null",
        '"only text"',
        "{{{{",
        "42",
        '{"skills": []}',
    ],
)
def test_text_without_an_answer_is_unparsable_or_breaks_the_schema(raw):
    answer = parse_json(raw, was_cut=False)
    assert answer is RejectionReason.UNPARSABLE or (
        isinstance(answer, Answer) and not answer.summary
    )


def test_cut_answer_keeps_all_skills_and_ends_at_a_full_sentence():
    raw = '{"skills": ["Go", "Kafka"], "summary": "Leads. Built \\"Atlas\\" alone. Owns the pay'
    answer = parse_json(raw, was_cut=True)
    assert answer.skills == ("Go", "Kafka")
    assert answer.summary == 'Leads. Built "Atlas" alone.'
    assert answer.repair is Repair.TRUNCATED


@pytest.mark.parametrize(
    "raw",
    [
        '{"skills": ["Go", "Kaf',
        '{"skills": ["Go"], ',
        '{"skills": ["Go"], "summary": "',
        '{"skills": ["Go"], "summary": "Leads a team and',
        '{"ski',
        "{",
    ],
)
def test_cut_answer_without_a_full_sentence_is_truncated(raw):
    assert parse_json(raw, was_cut=True) is RejectionReason.TRUNCATED


@pytest.mark.parametrize("tail", ["\\", "\\u", "\\u00", "\\u00e", "\\\\", "\\n"])
def test_cut_inside_an_escape_does_not_spoil_the_sentences_before(tail):
    raw = '{"skills": [], "summary": "Leads a team in Zürich. Built' + tail
    assert parse_json(raw, was_cut=True).summary == "Leads a team in Zürich."


def test_answer_that_ends_exactly_at_the_cap_is_whole():
    assert parse_json(ANSWER, was_cut=True).repair is None


@pytest.mark.parametrize(
    "word",
    ['"core,"', '"core" and "edge"', 'a 12" rack', '"core', 'core"', '\\"core\\" and "edge"'],
)
def test_quotes_in_a_summary_that_were_not_escaped_cost_none_of_it(word):
    summary = f"Leads the {word} team. Built the billing system. Runs two sites."
    answer = parse_json(f'{{"skills": ["Go"], "summary": "{summary}"}}', was_cut=False)
    assert (answer.summary, answer.skills) == (summary.replace("\\", ""), ("Go",))
    assert answer.repair is Repair.JSON


@pytest.mark.parametrize(
    "raw",
    [
        '{"summary": "Leads the "core," team. Built the billing system.", "skills": ["Go"]}',
        '{"skills": ["Go"], "summary": "Wrote "Go", "Kafka": two tools. Runs two sites."}',
        '{"skills": ["Go"], "summary": "Runs one site."}{"skills": [], "summary": "Runs two."}',
    ],
)
def test_a_repair_that_loses_text_or_mixes_answers_is_none(raw):
    assert parse_json(raw, was_cut=False) is RejectionReason.UNPARSABLE


def test_repair_is_never_used_on_a_cut_answer():
    assert (
        parse_json('{"skills": ["Go"], "summary": "Half a sent', was_cut=True)
        is RejectionReason.TRUNCATED
    )


def test_an_answer_that_ends_inside_its_summary_was_cut_whatever_the_engine_says():
    answer = parse_json(
        '{"skills": ["Go"], "summary": "Runs payment services. Leads the', was_cut=False
    )
    assert (answer.summary, answer.skills) == ("Runs payment services.", ("Go",))
    assert answer.repair is Repair.TRUNCATED
    assert (
        parse_json('{"skills": ["Go"], "summary": "Half a sent', was_cut=False)
        is RejectionReason.TRUNCATED
    )


def test_a_tower_of_brackets_is_a_bad_answer_and_no_crash():
    assert parse_json("[" * 50_000, was_cut=False) is RejectionReason.UNPARSABLE
    assert parse_json('{"summary":' * 20_000, was_cut=False) is not None


def test_control_characters_and_lone_surrogates_leave_the_summary():
    raw = json.dumps({"skills": ["Go\u0000"], "summary": "Runs\u0000 pay\ud83d services."})
    answer = parse_json(raw, was_cut=False)
    assert answer.summary.encode() == b"Runs pay services."
    assert answer.skills == ("Go",)


@pytest.mark.parametrize(
    ("raw", "summary"),
    [
        ("Runs payment services.", "Runs payment services."),
        ("Here is a summary of the candidate:\n\nRuns payment services.", "Runs payment services."),
        ("Sure! Here's the paragraph: Runs payment services.", "Runs payment services."),
        ("**Summary:** Runs payment services.", "Runs payment services."),
        ("## Professional Summary\nRuns payment services.", "Runs payment services."),
        ('"Runs payment services."', "Runs payment services."),
        ("```\nRuns payment services.\n```", "Runs payment services."),
        ("Summary of trades is what she writes.", "Summary of trades is what she writes."),
    ],
)
def test_prose_loses_what_is_around_it(raw, summary):
    assert parse_prose(raw, was_cut=False).summary == summary


def test_preamble_is_a_repair_and_plain_prose_is_none():
    assert parse_prose("Here is the summary: Runs it.", was_cut=False).repair is Repair.PREAMBLE
    assert parse_prose("Runs it.", was_cut=False).repair is None


def test_cut_prose_ends_at_its_last_full_sentence():
    answer = parse_prose("Leads a team. Built the billing", was_cut=True)
    assert (answer.summary, answer.repair) == ("Leads a team.", Repair.TRUNCATED)


@pytest.mark.parametrize("raw", ["Leads a team", "Leads", "Built the billing of"])
def test_cut_prose_without_a_full_sentence_is_truncated(raw):
    assert parse_prose(raw, was_cut=True) is RejectionReason.TRUNCATED


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One. Two.", "One. Two."),
        ("One. Two", "One."),
        ("One", ""),
        ("Works with e.g. Kafka. And", "Works with e.g. Kafka."),
        ("It grew by 3.5 percent! Then", "It grew by 3.5 percent!"),
        ('She said "yes." Then', 'She said "yes."'),
    ],
)
def test_cut_prose_keeps_its_full_sentences(text, kept):
    answer = parse_prose(text, was_cut=True)
    assert answer == (Answer(kept, (), Repair.TRUNCATED) if kept else RejectionReason.TRUNCATED)
