"""The lines between lane and engine process: nothing is lost, nothing is misread, nothing leaks."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from profiles.errors import EngineError
from profiles.models import Completion, Message, Request, Sampling
from profiles.synthesis.process.protocol import (
    Drain,
    EngineJob,
    EngineReady,
    Failure,
    Heartbeat,
    Stop,
    decode,
    encode,
)

MESSAGES = [
    EngineJob("sglang", "/models/m", {"tp_size": 2, "nested": {"a": [1, None]}}, "http://h", True),
    EngineReady("sglang", "0.5.23", "m", 256, 8192, 1.5, {"gpu": "one"}),
    Failure("job", "no such model"),
    Heartbeat(1, 2, 3, 0.5, {"token_usage": 0.25}),
    Drain(),
    Stop(),
    Request("7.1", (Message("system", "s"), Message("user", "u")), Sampling(seed=4, stop=("\n",))),
    Request("7.2", (), Sampling(), json_schema='{"type":"object"}', input_ids=(1, 2, 3)),
    Completion("7.1", "text", "stop", 10, 20, 5, 1.25),
    Completion("7.1", "", "error", error="http 400"),
]


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: type(message).__name__)
def test_a_message_survives_the_line(message):
    assert decode(encode(message)) == message


@given(st.text(alphabet=st.characters(exclude_categories=())))
@example("\ud800\udc00")
@example("\udc00\ud800")
def test_any_text_is_one_line_and_comes_back(text):
    line = encode(Completion("1", text, "stop"))
    assert line.count(b"\n") == 1
    # JSON spells a character outside the basic plane as two halves, so two lone ones become it.
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert decode(line).text == joined


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"Loading weights: 100%\n",
        b"[1, 2]\n",
        b'"drain"\n',
        b'{"type": "unheard"}\n',
        b'{"request_id": "1"}\n',
        b'{"type": "Completion", "request_id": "1"}\n',
        b'{"type": "Request", "request_id": "1", "messages": [{"role": "user"}]}\n',
        b"\xff\xfe\n",
    ],
)
def test_a_line_that_is_no_message_is_refused(line):
    with pytest.raises(EngineError, match="no message"):
        decode(line)


def test_a_refused_line_is_not_quoted():
    with pytest.raises(EngineError) as caught:
        decode(b'{"type": "Request", "request_id": "Ada Testwell"}\n')
    assert "Ada" not in str(caught.value)
    assert caught.value.__cause__ is None
