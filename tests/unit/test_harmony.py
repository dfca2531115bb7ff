"""gpt-oss's format: token ids of a whole prompt, and answers told from their reasoning."""

from __future__ import annotations

import asyncio
from typing import Any

import bpe_openai
import jinja2
import pytest
from tests.paths import REPOSITORY

from profiles.errors import EngineJobError
from profiles.models import EngineProfile, Message, RejectionReason, Request, Sampling
from profiles.planning import fingerprinted_sampling
from profiles.synthesis.engines import chat_prompt, llama_cpp
from profiles.synthesis.engines.chat_prompt import ChatPrompt
from profiles.synthesis.engines.sglang_engine import SglangEngine
from profiles.synthesis.lane.engine_profiles import load_engine_profile
from profiles.synthesis.lane.prompting import Prompter
from profiles.synthesis.process.protocol import EngineJob
from profiles.validation.parsing import parse_json, strip_reasoning

MARKERS = {
    "<|return|>": 200002,
    "<|constrain|>": 200003,
    "<|channel|>": 200005,
    "<|start|>": 200006,
    "<|end|>": 200007,
    "<|message|>": 200008,
    "<|call|>": 200012,
}
TEMPLATE = (
    "<|start|>system<|message|>You are ChatGPT, a large language model trained by OpenAI.\n"
    "Knowledge cutoff: 2024-06\nCurrent date: {{ strftime_now('%Y-%m-%d') }}\n\n"
    "Reasoning: {{ reasoning_effort }}\n\n# Valid channels: analysis, commentary, final. "
    "Channel must be included for every message.<|end|>"
    "{% for m in messages %}<|start|>"
    "{% if m.role == 'system' %}developer<|message|># Instructions\n\n{{ m.content }}"
    "{% else %}{{ m.role }}<|message|>{{ m.content }}{% endif %}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|start|>assistant{% endif %}"
)
# Written out by hand, in the order of the format's description.
# fmt: off
SYSTEM = [
    200006, 17360, 200008,                                  # <|start|>system<|message|>
    3575, 553, 17554, 162016, 11, 261, 4410, 6439, 2359, 22203, 656, 7788, 17527, 558,
    87447, 100594, 25, 220, 1323, 19, 12, 3218, 198,         # Knowledge cutoff: 2024-06
    6576, 3521, 25, 220, 1323, 20, 12, 2290, 12, 2290, 279,  # Current date: 2025-01-01
    30377, 289, 25, 4465, 279,                              # Reasoning: low
    2, 13888, 18403, 25, 8450, 11, 49159, 11, 1721, 13, 21030, 2804, 413, 7360, 395, 1753, 3176,
    13, 200007,                                             # … every message.<|end|>
]
DEVELOPER = [
    200006, 77944, 200008, 2, 68406, 279,                   # <|start|>developer … # Instructions
    10930, 261, 8855, 13, 200007,                           # Write a profile.<|end|>
]
USER = [200006, 1428, 200008, 32, 37736, 13, 200007]  # <|start|>user<|message|>A nurse.<|end|>
ASSISTANT = [200006, 173781]                                # <|start|>assistant
ANALYSIS = [200005, 35644, 200008]                          # <|channel|>analysis<|message|>
FINAL = [200005, 17196, 200008]                             # <|channel|>final<|message|>
# fmt: on
MESSAGES = (Message("system", "Write a profile."), Message("user", "A nurse."))
SCHEMA = '{"type": "object"}'
ANSWER = '{"skills": ["Go"], "summary": "Runs payment services."}'
THOUGHT = "<|channel|>analysis<|message|>We need JSON.<|end|><|start|>assistant"
HEADER = "<|channel|>final<|message|>"
END = "<|end|><|start|>assistant"


def encode(text: str) -> list[int]:
    ids: list[int] = []
    encoding = bpe_openai.get_encoding("o200k_base")
    while text:
        marker = min((m for m in MARKERS if m in text), key=text.index, default=None)
        plain, _, text = text.partition(marker) if marker else (text, "", "")
        ids += encoding.encode_ordinary(plain)
        ids += [MARKERS[marker]] if marker else []
    return ids


class Tokenizer:
    """The vocabulary of gpt-oss with a template that renders what Harmony's description says."""

    def apply_chat_template(
        self,
        messages: list[dict[str, str]],
        *,
        tokenize: bool,
        return_dict: bool,
        continue_final_message: bool,
        **given: Any,
    ) -> list[int]:
        assert (tokenize, return_dict, continue_final_message) == (True, False, False)
        environment = jinja2.Environment(autoescape=False)
        return encode(environment.from_string(TEMPLATE).render(messages=messages, **given))

    def encode(self, text: str, *, add_special_tokens: bool) -> list[int]:
        assert not add_special_tokens
        return encode(text)


class Server:
    """Answers with one text and keeps what it was sent."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.seen: dict[str, Any] = {}

    async def async_generate(self, **sent: Any) -> dict[str, Any]:
        self.seen = sent
        ids = encode(self.text)
        return {
            "text": self.text,
            "meta_info": {"finish_reason": {"type": "stop"}, "completion_tokens": len(ids)},
        }


def ask(
    effort: str,
    *,
    text: str = ANSWER,
    schema: str | None = SCHEMA,
    gpt_oss: bool = True,
    prefix: str = "",
):
    engine = SglangEngine(EngineJob("sglang", "model"))
    server = Server(text)
    engine._engine = server
    engine._prompt = ChatPrompt(Tokenizer(), is_gpt_oss=gpt_oss)
    messages = (*MESSAGES, Message("assistant", prefix)) if prefix else MESSAGES
    sampling = Sampling(reasoning_effort=effort)
    request = Request("1", messages, sampling, json_schema=schema)
    return asyncio.run(engine.generate(request)), server.seen


def test_without_reasoning_the_prompt_ends_where_the_answer_begins():
    _, seen = ask("none")
    assert seen["input_ids"] == [*SYSTEM, *DEVELOPER, *USER, *ASSISTANT, *FINAL]
    assert seen["sampling_params"]["json_schema"] == SCHEMA


@pytest.mark.parametrize(("effort", "id_"), [("low", 4465), ("medium", 14093), ("high", 1932)])
def test_with_reasoning_the_model_opens_its_own_channels_at_that_effort(effort, id_):
    _, seen = ask(effort, schema=None)
    system = [id_ if number == 4465 else number for number in SYSTEM]
    assert seen["input_ids"] == [*system, *DEVELOPER, *USER, *ASSISTANT]


def test_with_reasoning_there_is_no_grammar_and_the_prompt_holds_the_schema():
    _, seen = ask("low")
    assert "json_schema" not in seen["sampling_params"]
    assert seen["input_ids"] == [
        *SYSTEM,
        *DEVELOPER[:-2],
        *encode(f".\n\n# Response Formats\n\n## profile\n\n{SCHEMA}"),
        200007,
        *USER,
        *ASSISTANT,
    ]


@pytest.mark.parametrize(
    ("effort", "stops"),
    [("none", {200002, 200012, 200005, 200006, 200007, 200008}), ("low", {200002, 200012})],
)
def test_every_marker_stops_the_answer_but_those_between_reasoning_and_answer(effort, stops):
    sampling = ask(effort)[1]["sampling_params"]
    assert set(sampling["stop_token_ids"]) == stops
    assert sampling["skip_special_tokens"] is False


@pytest.mark.parametrize("header", [HEADER, "<|channel|>final <|constrain|>json<|message|>"])
def test_reasoning_is_stripped_from_the_answer(header):
    completion, _ = ask("low", text=THOUGHT + header + ANSWER)
    assert completion.text == ANSWER
    assert completion.completion_tokens == len(encode(THOUGHT + header + ANSWER))


def test_reasoning_that_never_ends_is_refused_by_the_gate():
    completion, _ = ask("high", text="<|channel|>analysis<|message|>We need")
    assert strip_reasoning(completion.text) is RejectionReason.LEAKED_REASONING


def test_a_model_without_channels_is_refused_with_what_to_do():
    with pytest.raises(EngineJobError, match="to none"):
        ask("low", gpt_oss=False)


def test_the_embedded_engine_refuses_an_effort_too():
    request = Request("1", MESSAGES, Sampling(reasoning_effort="low"))
    with pytest.raises(EngineJobError, match="gpt-oss"):
        llama_cpp._body(request)


def test_effort_shapes_the_fingerprint_and_none_leaves_it_as_it_was():
    assert "reasoning_effort" not in fingerprinted_sampling(Sampling())
    assert fingerprinted_sampling(Sampling(reasoning_effort="low"))["reasoning_effort"] == "low"


def test_the_date_never_changes():
    assert chat_prompt.PROMPT_DATE == "2025-01-01"


@pytest.mark.parametrize(
    "raw",
    [
        THOUGHT + HEADER + ANSWER,
        HEADER + ANSWER + "<|return|>",
        f"<|channel|>final <|constrain|>json<|message|>{ANSWER}",
        f"<|start|>assistant{HEADER}{ANSWER}<|end|>",
        f"{HEADER}{{}}<|end|><|start|>assistant{HEADER}{ANSWER}",
        f"analysisWe need JSON.assistantfinal{ANSWER}",
        f"analysisWe need JSON.assistantfinaljson{ANSWER}",
        f"analysisShort.assistantcommentaryHm.assistantfinal\n{ANSWER}",
        f"analysis\n\nWe need JSON.\n\nassistant\nfinal\n{ANSWER}",
        f"assistantfinal{ANSWER}",
        f"{ANSWER}<|end|><|start|>assistant<|channel|>analysis<|message|>Was it good?",
        f"{ANSWER}<|channel|>commentary",
        f"{ANSWER}<|start|>assistant",
        f"{ANSWER}assistantanalysisWas it good?",
        f"{ANSWER}assistantcommentary",
        f"{ANSWER}\nanalysis We are done.",
        f"{ANSWER}assistantfinal",
    ],
)
def test_a_leak_around_a_valid_answer_is_stripped_and_marked(raw):
    stripped = strip_reasoning(raw)
    assert not isinstance(stripped, RejectionReason)
    assert stripped.leaked
    answer = parse_json(stripped.text, was_cut=False)
    assert not isinstance(answer, RejectionReason)
    assert answer.summary == "Runs payment services."
    assert answer.skills == ("Go",)


@pytest.mark.parametrize(
    "raw",
    [
        "<|channel|>analysis<|message|>The user wants",
        THOUGHT,
        THOUGHT + HEADER,
        "analysisWe need to write",
        "assistantanalysisWe need to write",
        'commentary to=functions.profile json{"skills": []}',
        "<|channel|>commentary to=functions.profile<|message|>{}<|call|>",
        "Some words<|channel|>analysis<|message|>more",
        "analysisHm.assistantfinal",
    ],
)
def test_a_leak_without_an_answer_is_refused_as_that(raw):
    assert strip_reasoning(raw) is RejectionReason.LEAKED_REASONING


@pytest.mark.parametrize(
    "text",
    [
        "Analysis of markets is her work. She leads an assistant, final say included.",
        '{"skills": ["Data analysis"], "summary": "Does analysis. An assistant helps."}',
        '{"skills": [], "summary": "Writes {templates} analysis commentary for a team."}',
    ],
)
def test_the_same_words_within_an_answer_stay(text):
    stripped = strip_reasoning(text)
    assert not isinstance(stripped, RejectionReason)
    assert (stripped.text, stripped.leaked) == (text, False)


def test_the_profile_hands_the_effort_on(tmp_path):
    profile = profile_with(tmp_path, "  reasoning_effort: medium\n")
    request = Prompter(profile, len).request(
        document="# A\nNurse.", word_count=70, request_id="1", seed=1
    )
    assert request.sampling.reasoning_effort == "medium"


def profile_with(tmp_path, sampling: str) -> EngineProfile:
    folder = tmp_path / "p"
    folder.mkdir(exist_ok=True)
    for path in (REPOSITORY / "include" / "prompts" / "structured").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    file = folder / "profile.yaml"
    file.write_text(file.read_text() + sampling)
    return load_engine_profile("p", tmp_path)
