"""Size rules: very long people are shortened by rule, and the shortening is recorded."""

import time

from tests.factories import education, entries, position, record

from profiles.models import Candidate
from profiles.rendering.markdown import MAX_DOCUMENT_CHARS, render
from profiles.rendering.trimming import trim_document
from profiles.standardization.skills import Vocabulary

VOCABULARY = Vocabulary.from_aliases({})


def document(*records):
    return render(Candidate(1, records), vocabulary=VOCABULARY)


def long_career(jobs, text="Assignment"):
    return record(
        headline="Consultant to many",
        summary="First sentence. Second sentence. Third sentence. Fourth sentence.",
        positions=tuple(
            position(
                f"Contoso Example {n:03d} Ltd",
                f"{1990 + n // 12}-{n % 12 + 1:02d}",
                f"{1990 + n // 12}-{n % 12 + 1:02d}",
                title=f"Consultant {n}",
                description="\n".join(f"- {text} {n} has part {k} done." for k in range(3)),
            )
            for n in range(jobs)
        ),
        skills=tuple(f"Skill {n}" for n in range(40)),
        entries=(
            *entries("languages", "English", "Spanish"),
            *entries("certifications", "Chartered Consultant"),
        ),
    )


def test_three_hundred_jobs_keep_the_newest_in_full_and_list_the_rest():
    rendered = document(long_career(300))
    assert len(rendered.experience) == 300
    assert len(rendered.markdown) <= MAX_DOCUMENT_CHARS
    assert "### Consultant 299 — Contoso Example 299\n" in rendered.markdown
    assert "Assignment 299 has part 2 done." in rendered.markdown
    assert "- Consultant 0 — Contoso Example 000, Jan 1990" in rendered.markdown
    assert "Assignment 0 has part 0 done." not in rendered.markdown
    assert "experience text" in rendered.trimmed


def test_a_hundred_kilobytes_of_one_sentence_are_one_sentence_and_quick():
    started = time.monotonic()
    rendered = document(
        record(positions=(position(description="Improved the build pipeline. " * 3_500),))
    )
    assert rendered.markdown.count("Improved the build pipeline.") == 1
    assert time.monotonic() - started < 1


def test_a_hundred_kilobytes_of_text_are_cut_at_a_sentence():
    text = " ".join(f"Improved pipeline number {n} for the team." for n in range(2_500))
    rendered = document(record(positions=(position(description=text),)))
    assert len(rendered.markdown) < 12_000
    assert rendered.markdown.endswith("for the team.\n")
    assert rendered.trimmed == ("experience text",)


def test_one_endless_sentence_is_cut_at_a_word():
    rendered = document(record(positions=(position(description="improving " * 10_000),)))
    assert len(rendered.markdown) < 3_000
    assert "improving…" in rendered.markdown


def test_brackets_without_end_do_not_slow_it_down():
    started = time.monotonic()
    document(record(summary="[" * 50_000, positions=(position(description="(" * 50_000),)))
    assert time.monotonic() - started < 2


def test_an_ordinary_person_is_not_trimmed():
    assert document(long_career(8)).trimmed == ()


def test_a_document_within_the_budget_is_returned_as_it_is():
    text = document(long_career(5)).markdown
    assert trim_document(text, len(text), len) == (text, ())


def test_older_jobs_lose_their_text_first():
    text = document(long_career(5)).markdown
    shorter, trimmed = trim_document(text, len(text) - 40, len)
    assert trimmed == ("experience text",)
    assert "Assignment 0 has part 0 done." in shorter
    assert "Assignment 0 has part 2 done." not in shorter
    assert "Assignment 4 has part 2 done." in shorter


def test_every_budget_keeps_headline_newest_job_and_skills():
    text = document(long_career(30)).markdown
    for budget in range(len(text), 0, -97):
        shorter, trimmed = trim_document(text, budget, len)
        assert "Consultant to many" in shorter
        assert "### Consultant 29 — " in shorter
        assert "## Skills\nSkill 0, Skill 1" in shorter
        assert len(shorter) <= budget or budget < 800
        assert bool(trimmed) == (budget < len(text))


def test_a_smaller_budget_never_gives_a_longer_document():
    text = document(long_career(12)).markdown
    sizes = [len(trim_document(text, budget, len)[0]) for budget in range(200, len(text), 150)]
    assert sizes == sorted(sizes)


def test_sections_stay_in_their_order_and_empty_ones_go():
    text = document(long_career(30)).markdown
    shorter, _ = trim_document(text, 900, len)
    sections = [line for line in shorter.splitlines() if line.startswith("## ")]
    order = [line for line in text.splitlines() if line.startswith("## ")]
    assert sections == [line for line in order if line in sections]
    assert all(
        following and not following.startswith("## ")
        for line, following in zip(shorter.splitlines(), shorter.splitlines()[1:], strict=False)
        if line.startswith("## ")
    )


def test_a_budget_in_words_is_kept_too():
    def words(text):
        return len(text.split())

    text = document(long_career(12)).markdown
    shorter, _ = trim_document(text, 120, words)
    assert words(shorter) <= 120


def test_a_row_made_to_be_slow_is_not_slow():
    crowded = [
        record(
            positions=tuple(
                position("Contoso", "2020-01", None, title=f"Role {n}") for n in range(400)
            ),
            education=tuple(education(f"School {n}", degree="BSc") for n in range(3_000)),
        )
        for _ in range(4)
    ]
    started = time.monotonic()
    document(*crowded)
    assert time.monotonic() - started < 5
