"""The short way for ordinary blocks gives what the patterns for odd text give."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from profiles.standardization import markup
from profiles.standardization import text as blocks
from profiles.standardization.ordinary import clean_ordinary
from profiles.standardization.text import clean_block

_PIECES = (
    "Led a team of 7.", "Cut costs by 4 %", "o", "R&D", "&amp;", "SÃO Paulo", "café", "’s", "Ã©",
    "U.S.", "2)", "more", "see more", "…", "...", "(b)", "**", "__x__", "|", "|>", "~", "~>", "#",
    "•", "➤", "🔹", "✔", "–", "-", "*", "1.", "12)", ". 2. Xy", ".Next", "ı", "ſ", "`", "<", "[",
    "<b>", "\u00a0", "\u200b", "e\u0301", "Ab", "x",
)  # fmt: skip
_TEXTS = st.lists(
    st.tuples(st.sampled_from(_PIECES), st.sampled_from((" ", " ", "", "\n", "\n• ", "\n- "))),
    min_size=1,
    max_size=8,
).map(lambda pairs: "".join(piece + gap for piece, gap in pairs))


@given(_TEXTS)
@example("1. Led a team\n2. Cut costs")
@example("• Led a team\n\n• Cut costs by R&D, 4 % – and so on")
@example("Led a team. Cut costs by … see more")
def test_the_short_way_gives_what_the_long_way_gives(text: str) -> None:
    short = clean_ordinary(text)
    if short is not None:
        assert short == blocks._clean_suspect_block(text)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Led a team of 7 in R&D. Cut costs by 40 %; won.", None),
        ("• Led a team.\n• Cut costs.", "- Led a team.\n- Cut costs."),
        ("🔹 Led a team.\n\n🔹 Cut costs.", "- Led a team.\n- Cut costs."),
        ("1. Led a team.\n2. Cut costs.", "- Led a team.\n- Cut costs."),
        ("Led a team.\n- Cut costs for €4m, across", "Led a team.\n- Cut costs for €4m, across"),
        ("Led a team. Cut costs by… see more", "Led a team."),
    ],
)
def test_the_usual_lists_go_the_short_way(text: str, cleaned: str | None) -> None:
    assert clean_ordinary(text) == (cleaned or text)


@pytest.mark.parametrize(
    "text",
    [
        "• A lone item.",
        "Led a team.Cut costs",
        "- One thing. - Another thing\n- A third",
        "a <b>",
        "",
    ],
)
def test_odd_text_goes_the_long_way(text: str) -> None:
    assert clean_ordinary(text) is None


@pytest.mark.parametrize("text", ["<p>Led the mobile team… see more</p>", "\n• Led a team ...more"])
def test_a_cut_text_with_a_break_before_it_keeps_its_words(text: str) -> None:
    assert "Led" in (clean_block(text) or "")


@given(st.text(alphabet=" \tab<>/lipr", max_size=40))
@example("a \t<li> <br/>  b<p><p >c")
def test_breaks_take_the_spaces_around_them(text: str) -> None:
    for tag in (markup._ITEM, markup._BREAK):
        slow = re.sub(rf"[ \t]*{tag.pattern}", "\n", text, flags=re.IGNORECASE)
        assert markup._broken(tag, "\n", text) == slow
