"""Repetition loops and language."""

from __future__ import annotations

import pytest

from profiles.validation.language import language_fault
from profiles.validation.repetition import repetition_fault

HONEST = (
    "The candidate leads a payments team at an insurer and answers for its services from design to "
    "support. Before that she built the event pipeline of a marketplace, where she moved from "
    "engineer to lead within four years. She works mostly in Go and PostgreSQL, and she has hired "
    "and coached nine engineers. Her teams cut the cost of hosting by a third and the time of a "
    "release from days to hours. Earlier she tested software for a bank and wrote its first "
    "automated checks."
)


@pytest.mark.parametrize(
    "text",
    [
        HONEST,
        "Leads a team. Leads a product. Leads a region.",
        "Senior Engineer at Tarn Media. Engineer at Tarn Media. Intern at Tarn Media.",
        "From data to data to decisions, step by step.",
        "Owns payments, billing payments, card payments and refund payments.",
        "Umbra Labs employed the candidate as clinical project manager. Quarry Labs employed the"
        " candidate as clinical project manager. Tarn Labs employed the candidate as nurse.",
        "As a recruiter at Umbra Labs, the candidate filled forty posts a year. As a recruiter at"
        " Umbra Labs, the candidate wrote the interview guide. As a recruiter at Umbra Labs, the"
        " candidate moved all records to one system. As a recruiter at Umbra Labs, the candidate"
        " trained hiring managers.",
        "She cut costs by a third and presented the outcome to the whole leadership team. "
        + HONEST
        + " She moved two plants and presented the outcome to the whole leadership team. Later she"
        " closed a site and presented the outcome to the whole leadership team.",
        "",
        "Word.",
    ],
)
def test_honest_text_may_repeat_words(text):
    assert repetition_fault(text) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Leads the payments team. Owns search. Leads the payments team.", "sentence"),
        ("Very very very very good engineer.", "loop"),
        ("He works on data and on data and on data and on data and", "loop"),
        ("Builds services for banks, builds services for banks, builds services for banks", "loop"),
        (HONEST + " " + HONEST, "sentence"),
        ("Experienced in sales of software. " * 12, "sentence"),
        (
            " ".join(
                f"She is responsible for the delivery of high quality services to {who}."
                for who in ("banks", "shops", "cities", "farms", "schools", "states")
            ),
            "template",
        ),
        ("skills " * 60, "loop"),
        (
            HONEST + " In addition, she works mostly in Go and PostgreSQL, and she has hired and"
            " coached nine engineers.",
            "sentence",
        ),
        (
            " ".join(
                f"With {skill}, the candidate has helped the company to grow and to succeed."
                for skill in ("sales", "key account care", "cold calling", "pricing")
            ),
            "template",
        ),
        (
            "She works with a focus on Go, with a focus on SQL, with a focus on Rust and with a"
            " focus on tests.",
            "loop",
        ),
        (" ".join(["alpha beta gamma delta epsilon", "zeta eta"] * 8), "loop"),
    ],
)
def test_loops_are_found(text, fault):
    assert repetition_fault(text) == fault


@pytest.mark.parametrize(
    "text",
    [
        HONEST,
        "Kubernetes Terraform",
        "",
        "She led the Zürich office of Müllenbach and worked for Großkopf in München with a team.",
        "The candidate 王思远 leads the logistics team and works across many regions.",
        "Engineer with experience in Go, Kafka, PostgreSQL, Redis, and Terraform on AWS for banks.",
    ],
)
def test_english_passes(text):
    assert language_fault(text) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Die Kandidatin leitet das Team für Zahlungen und ist mit der Technik vertraut.", "de"),
        (
            "La candidate dirige une équipe et elle est responsable des services pour les clients.",
            "fr",
        ),
        ("La candidata dirige un equipo y es responsable de los servicios para los bancos.", "es"),
        (
            "A candidata lidera uma equipe e é responsável pelos serviços para os bancos do país.",
            "pt",
        ),
        ("候选人在上海领导一个支付团队，负责设计、开发和支持。", "script"),
        ("Кандидат руководит командой платежей и отвечает за сервисы банка.", "script"),
        ("يقود المرشح فريق المدفوعات", "script"),
        (
            "Go Kafka Redis Terraform AWS Docker Linux Python Java Scala Spark Hive Presto",
            "unclear",
        ),
    ],
)
def test_other_languages_and_bare_lists_of_words_fail(text, fault):
    assert language_fault(text) == fault
