"""Repetition loops and language."""

from __future__ import annotations

import pytest

from profiles.standardization.sentences import split_sentences
from profiles.validation.prose import foreign_sentence, repetition_fault

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
        # Five jobs of one title, and one frame around them.
        " ".join(
            f"The role at {name} Labs carried the title Senior Data Engineer."
            for name in ("Umbra", "Quarry", "Tarn", "Fenwick", "Sedge")
        ),
        "She cut the cost of hosting in Leeds by 12% within a year. She cut the cost of hosting in"
        " Pune by 30% within a year.",
        "Her skills are Go, Kafka, Redis and SQL. She moved a feed from Kafka to Redis in Go.",
        "HR Business Partner, Workday, HR Policies, Recruiting. Known for calm delivery. Hands-on"
        " with Workday, HR Policies, Recruiting.",
        "She worked for Umbra Labs. The title was Data Analyst. She worked for Tarn Labs. The title"
        " was Data Analyst. She worked for Sedge Labs. The title was Senior Data Analyst. She"
        " worked for Fenwick. The title was Clerk.",
        "At Umbra Labs, where the title was Data Analyst, she moved forty feeds to one cluster. At"
        " Umbra Labs, where the title was Data Analyst, she wrote the guide for new colleagues.",
        "",
        "Word.",
    ],
)
def test_honest_text_may_repeat_words(text):
    assert repetition_fault(text) is None


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Very very very very good engineer.", "loop"),
        ("He works on data and on data and on data and on data and", "loop"),
        ("Builds services for banks, builds services for banks, builds services for banks", "loop"),
        (HONEST + " " + HONEST, "sentence"),
        ("Experienced in sales of software. " * 12, "loop"),
        ("skills " * 60, "loop"),
        ("Leads a team of nurses. " + "a" * 400, "character"),
        ("Leads a team of nurses " + "!" * 40, "character"),
        (
            "The candidate moved nightly builds of forty teams to one cluster. It was also the"
            " candidate who moved the nightly builds of forty teams to one cluster.",
            "sentence",
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
        "She studied at the Universidad Politécnica de la Costa and the École des Mines de Lille.",
        "Her skills are Go, SQL and Kafka, in De la Cruz, Los Angeles, San Jose, Le Mans and Lyon.",
        "She was Responsable de aduanas y logística, a customs manager, at Navieras Tossal.",
        "She writes résumés, speaks of naïve models and likes the café where the team meets.",
    ],
)
def test_english_passes(text):
    assert not any(map(foreign_sentence, split_sentences(text)))


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
        *(
            (f"She is an engineer at Tarn Media with nine years of experience. {text}", code)
            for code, text in (
                (
                    "pl",
                    "Kandydat projektuje potoki danych, wykorzystując narzędzia Kafka oraz SQL.",
                ),
                ("cs", "Kandidátka navrhuje datové toky a vede menší tým analytiků ve firmě."),
                ("hu", "Jelenleg a cég vezető mérnökeként adatfolyamokat tervez és felügyel."),
                ("fi", "Hakija suunnittelee tietovirtoja ja vastaa niiden luotettavuudesta yhä."),
                ("ro", "Candidatul proiectează fluxuri de date folosind Kafka și Snowflake."),
                ("id", "Kandidat merancang alur data menggunakan SQL dan Kafka di kantor."),
                ("vi", "Ứng viên thiết kế luồng dữ liệu bằng Python cho công ty."),
                ("ca", "El candidat dissenya fluxos de dades i domina eines com Kafka."),
            )
        ),
        ("候选人在上海领导一个支付团队，负责设计、开发和支持。", "script"),
        ("Кандидат руководит командой платежей и отвечает за сервисы банка.", "script"),
        ("يقود المرشح فريق المدفوعات", "script"),
    ],
)
def test_other_languages_are_found(text, fault):
    assert fault in map(foreign_sentence, split_sentences(text))
