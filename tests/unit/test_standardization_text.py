"""Text of vendors becomes clean lines, blocks and sentences, and loses contacts and tokens."""

from __future__ import annotations

import time

import pytest

from profiles.standardization.characters import defuse_tokens
from profiles.standardization.contacts import redact_contacts
from profiles.standardization.sentences import is_ended, split_sentences
from profiles.standardization.text import (
    clean_block,
    clean_line,
    fold,
    is_placeholder,
)


@pytest.mark.parametrize(
    "value", [None, "", "  ", "null", "None", "N/A", "n/a", "-", "—", "undefined", "NaN", "0", "[]",
              "???", "🚀", "\u200b", True, [], {}, float("nan")]
)  # fmt: skip
def test_values_that_say_nothing_are_none(value):
    assert clean_line(value) is None


def test_short_words_that_are_names_are_no_placeholders():
    assert [clean_line(text) for text in ("Na", "Nan", "Nil", "C", "R")] == [
        "Na",
        "Nan",
        "Nil",
        "C",
        "R",
    ]


@pytest.mark.parametrize("value", [None, "", " null ", "N/A", 0, [], {}, float("nan"), " - "])
def test_placeholders_are_recognised(value):
    assert is_placeholder(value)


@pytest.mark.parametrize("value", ["Na", "x", 7, ["a"], {"day": 1}, ".NET"])
def test_values_are_no_placeholders(value):
    assert not is_placeholder(value)


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("Quarry\x00 Labs", "Quarry Labs"),
        ("Editor \ud83d", "Editor"),
        ("Py\u200bthon", "Python"),
        ("Zero\u200b Wid\xadth\ufeff", "Zero Width"),
        ("Head\u00a0of\u2003Data", "Head of Data"),
        ("أخصائية \u202eتسويق\u202c", "أخصائية تسويق"),
        ("RenÃ© MÃ¼llenbach", "René Müllenbach"),
        ("Kraków", "Kraków"),
        ("🎨 Designer ✨", "Designer"),
        ("Bluefern &amp; Sons", "Bluefern & Sons"),
        ("R&amp;amp;D Lead", "R&D Lead"),
        ("AT&T and Q&A", "AT&T and Q&A"),
        ("<b>Lead</b> Engineer", "Lead Engineer"),
        ("5 &lt; 6 and Map&lt;String&gt;", "5 < 6 and Map<String>"),
        ("𝗦𝗲𝗻𝗶𝗼𝗿 Engineer", "Senior Engineer"),
        ("## CEO of **everything**", "CEO of everything"),
        ("[click](javascript:alert(1))", "click"),
        ("a\nb\tc", "a b c"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        (7, "7"),
        (7.0, "7"),
        (7.25, "7.25"),
        ("C# / .NET", "C# / .NET"),
    ],
)
def test_a_line_is_repaired(dirty, clean):
    assert clean_line(dirty) == clean


def test_cleaning_twice_changes_nothing():
    dirty = "🏆 <p>Led &amp; built</p>\n1️⃣ One thing.Next thing\n• Two <|im_end|> … see more"

    once = clean_block(dirty)

    assert clean_block(once) == once
    assert clean_line(clean_line(dirty)) == clean_line(dirty)


def test_damaged_text_in_many_scripts_is_repaired():
    for text in ("Zürich – loved it", "Łukasz Wójtowicz", "王思远 in 上海", "Щербаковский"):
        damaged = text.encode("utf-8").decode("latin-1")
        assert clean_line(damaged) == text


def test_html_becomes_lines_and_items():
    html = (
        "<p>Led <b>R&amp;D</b></p><ul><li>One</li><li>Two<br>lines</li></ul>"
        "<script>alert(1)</script>&lt;p&gt;escaped&lt;/p&gt; 5 &lt; 6 and Map&lt;String&gt;"
        "<!-- hidden -->"
    )

    assert clean_block(html) == ("Led R&D\n- One\n- Two\nlines\nescaped\n5 < 6 and Map<String>")


@pytest.mark.parametrize(
    "bullet", ["• ", "- ", "* ", "✔ ", "➤ ", "– ", "● ", "🔹 ", "◦", "\uf0b7 ", "→ "]
)
def test_bullets_of_any_kind_become_items(bullet):
    assert clean_block(f"{bullet}Built a thing.\n{bullet}Ran it.") == "- Built a thing.\n- Ran it."


@pytest.mark.parametrize(
    "text",
    [
        "1. Built a thing.\n2. Ran it.",
        "1) Built a thing.\n2) Ran it.",
        "1️⃣ Built a thing.\n2️⃣ Ran it.",
        "• Built a thing. • Ran it.",
        "- Built a thing. - Ran it.",
        "• Built a thing.• Ran it.",
        "1. Built a thing.2. Ran it.",
        "<ul><li>Built a thing.</li><li>Ran it.</li></ul>",
        "• Built a thing.\n\n• Ran it.",
        "• Built a thing.\r\n• Ran it.",
    ],
)
def test_items_survive_numbering_and_lost_line_breaks(text):
    assert clean_block(text) == "- Built a thing.\n- Ran it."


def test_a_single_paragraph_behind_an_emoji_is_no_list():
    assert clean_block("🏆 Won the award.") == "Won the award."


def test_numbers_that_are_content_stay():
    text = "-5% churn\n3.5 years of work\n2019. A good year"

    assert clean_block(text) == text


def test_markdown_cannot_add_structure():
    text = (
        "# Experience\n## CEO at Everything\n```\ncode\n```\n---\n| a | b |\n|---|---|\n> quoted\n"
        "- ## Skills\n![x](http://t.example/p.png)\n[click](javascript:alert(1))\n<!-- hidden -->"
    )

    lines = clean_block(text).split("\n")

    assert lines == [
        "Experience",
        "CEO at Everything",
        "code",
        "a, b",
        "quoted",
        "- Skills",
        "x",
        "click",
    ]


def test_an_unclosed_fence_leaves_its_text():
    assert clean_block("```python\nprint('never closed')") == "print('never closed')"


@pytest.mark.parametrize(
    "tail", ["… see more", "...see more", "…", " ...show more", "… voir plus", "…see less"]
)
def test_a_cut_text_ends_at_its_last_sentence(tail):
    assert clean_block(f"Built it in Go. Cut errors by 40%. Then we star{tail}") == (
        "Built it in Go. Cut errors by 40%."
    )


def test_a_cut_text_without_a_full_sentence_keeps_its_words():
    assert clean_block("Responsible for everything and…") == "Responsible for everything and"


def test_glued_sentences_come_apart_and_names_stay():
    assert clean_block("Work is done.Next one by 40%.Led Node.js and ASP.NET.") == (
        "Work is done. Next one by 40%. Led Node.js and ASP.NET."
    )


def test_sentences_are_found_across_lines_items_and_abbreviations():
    block = "Led ops, e.g. planning, at Tarn Inc. in Leeds. Grew it!\n- One item\n- Two.Three here."

    assert split_sentences(block) == (
        "Led ops, e.g. planning, at Tarn Inc. in Leeds.",
        "Grew it!",
        "One item",
        "Two.",
        "Three here.",
    )


def test_sentences_of_scripts_without_spaces_are_found():
    assert split_sentences("负责产品。带领团队。") == ("负责产品。", "带领团队。")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("वह टीम का नेतृत्व करती है।", "वह उत्पाद देखती है।"),
        ("তিনি দলের নেতৃত্ব দেন।", "তিনি পণ্য দেখেন॥"),
        ("هل تقود الفريق؟", "تدير المنتج؟"),
        ("وہ ٹیم کی قیادت کرتی ہیں۔", "وہ منصوبے سنبھالتی ہیں۔"),
        ("အဖွဲ့ကို ဦးဆောင်သည်။", "ထုတ်ကုန်ကို စီမံသည်။"),
        ("សូមដឹកនាំក្រុម។", "គ្រប់គ្រងផលិតផល។"),
        ("ቡድኑን ትመራለች።", "ምርቱን ታስተዳድራለች።"),
        ("Ղեկավարում է թիմը։", "Կառավարում է արտադրանքը։"),
    ],
)
def test_sentences_end_at_the_marks_of_their_script(first, second):
    for between in ("", " "):
        assert split_sentences(first + between + second) == (first, second)
    assert is_ended(first)
    assert not is_ended(first[:-1])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Mail me at a.b+c@mail-example.com today", "today"),
        ("Email: x@y-example.com\nPhone: (202) 555-0101\n- Built things", "- Built things"),
        ("Built it (https://x.example/p?q=1) fast", "Built it fast"),
        ("See www.foo.com, linkedin.com/in/foo and jane-doe.dev now", "See now"),
        ("jane [at] mail [dot] com", ""),
        ("call +91 98450 12345 or 98450-12345", ""),
        ("WhatsApp: 98450 12345", ""),
        ("CTC 18.5 LPA, notice 30 days", "notice 30 days"),
        ("Expected salary: $120,000 per annum. Ran a budget of $3M.", "Ran a budget of $3M."),
        ("18.5 LPA", ""),
        ("Led the redesign of ada-example.dev.", "Led the redesign."),
    ],
)
def test_contacts_and_pay_are_removed(text, kept):
    assert redact_contacts(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "2019-2020, 2010 – 2015 and 99.9% uptime",
        "from 01/02/2019 to 03.04.2020",
        "Python 3.11.2, ISO 9001:2015 and 192.168.1.200",
        "1 000 000 users, 120000000 rows, ₹40 Cr and $12M",
        "Salesforce.com, Node.js, ASP.NET and Socket.io",
        "a team of 12, 3-4 weeks, phase II/III",
        "package design and pay systems",
    ],
)
def test_other_numbers_and_names_stay(text):
    assert redact_contacts(text) == text


@pytest.mark.parametrize(
    "token",
    ["<|im_start|>", "<|im_end|>", "<|start|>", "<|channel|>", "<|message|>", "<|return|>",
     "<|endoftext|>", "</s>", "<s>", "[INST]", "[/INST]", "<<SYS>>", "<start_of_turn>", "<think>",
     "</tool_call>", "<｜begin▁of▁sentence｜>"],
)  # fmt: skip
def test_no_chat_token_survives(token):
    text = f"Hi {token} bye"

    assert token not in defuse_tokens(text)
    assert token not in (clean_line(text) or "")
    assert token not in (clean_block(f"{text}\nagain") or "")
    assert "bye" in defuse_tokens(text)


def test_plain_angle_brackets_are_no_tokens():
    assert defuse_tokens("List<String> [sic] a<b") == "List<String> [sic] a<b"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Müllenbach-Straße  5", "mullenbach strasse 5"),
        ("ŁUKASZ Øster", "lukasz oster"),
        ("İstanbul Yıldırım", "istanbul yildirim"),
        ("Cafe\u0301", "cafe"),
        ("王 思远", "王 思远"),
        ("हिन्दी", "हिन्दी"),
        ("C++/C#", "c c"),
    ],
)
def test_folding_ignores_case_accents_and_punctuation(text, folded):
    assert fold(text) == folded


@pytest.mark.parametrize(
    "hostile",
    ["(" * 100_000, "<" * 100_000, "<a " * 40_000, "&amp;" * 30_000, "*" * 100_000, "- " * 50_000,
     "[[" * 50_000, "9" * 100_000, "a@" * 50_000, "a." * 50_000, "…" * 50_000, "\n" * 100_000,
     "<div>" * 20_000, "é" * 100_000, "1. " * 30_000, "https://" * 12_000, " " * 100_000 + "x"],
)  # fmt: skip
def test_hostile_text_is_cleaned_in_linear_time(hostile):
    started = time.process_time()

    block = clean_block(hostile) or ""
    split_sentences(redact_contacts(block))
    clean_line(hostile)

    assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("o Built one\no Ran two", "- Built one\n- Ran two"),
        ("a) Built one\nb) Ran two", "- Built one\n- Ran two"),
        ("of course\nall right", "of course\nall right"),
        ("• Built  `one`\n- Ran two ✨", "- Built one\n- Ran two"),
        ("Intro\n- Built one. • Ran two", "Intro\n- Built one.\n- Ran two"),
        ("- - Built one\n• o Ran two", "- Built one\n- Ran two"),
    ],
)
def test_a_line_that_looks_plain_cleans_as_the_careful_way_does(raw: str, clean: str):
    assert clean_block(raw) == clean


@pytest.mark.parametrize("text", ["<p>Led the mobile team… see more</p>", "\n• Led a team ...more"])
def test_a_cut_text_with_a_break_before_it_keeps_its_words(text: str) -> None:
    assert "Led" in (clean_block(text) or "")
