"""The embedded engine with its real model, in its own process."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from profiles.errors import EngineJobError
from profiles.models import Completion, Message, Request, Sampling
from profiles.settings import Settings
from profiles.synthesis.engines.llama_cpp import LlamaCppEngine
from profiles.synthesis.engines.model_files import EMBEDDED_MODEL, MODELS_DIR, locate_model
from profiles.synthesis.lane.engine_profiles import load_engine_profile
from profiles.synthesis.lane.prompting import Prompter, engine_context_tokens, token_counter
from profiles.synthesis.process.engine_client import EngineClient
from profiles.synthesis.process.protocol import EngineJob, Heartbeat

DOCUMENT = """\
# Ada Testwell
Operations Manager at Bluefern Retail
Porto, Portugal · 9 years of experience

## Summary
Operations manager with nine years of experience in retail. Likes numbers and plain speaking.

## Experience
### Operations Manager — Bluefern Retail
Mar 2021 – Present (5+ yrs)
- Reduced returns by 30% across eight warehouses.
- Led a team of twenty people.

### Supply Chain Analyst — Halden Logistics
Feb 2017 – Feb 2021 (4 yrs)
- Planned deliveries for twelve shops in SAP and Microsoft Excel.

## Skills
Supply Chain Management, Lean Six Sigma, SAP, Microsoft Excel
"""


def engine_job(model: str, **more) -> EngineJob:
    return EngineJob("llama_cpp", model, heartbeat_seconds=0.2, **more)


class TestWithoutAModel:
    def test_an_option_that_logs_prompts_is_refused(self, tmp_path: Path):
        model = tmp_path / "model.gguf"
        model.write_bytes(b"GGUF")
        with pytest.raises(EngineJobError, match="writes profiles into a log"):
            LlamaCppEngine(engine_job(str(model), options={"verbosity": 3})).load()

    def test_an_unknown_option_names_its_nearest_match(self, tmp_path: Path):
        model = tmp_path / "model.gguf"
        model.write_bytes(b"GGUF")
        with pytest.raises(EngineJobError, match="did you mean 'n_batch'"):
            LlamaCppEngine(engine_job(str(model), options={"n_bach": 64})).load()


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EngineClient]:
    if not (MODELS_DIR / EMBEDDED_MODEL).is_file():
        pytest.fail(f"no {EMBEDDED_MODEL} in {MODELS_DIR}: run make setup")
    asked = load_engine_profile("prose", Settings().prompts_dir)
    job = engine_job(
        locate_model("llama_cpp").path,
        context_tokens=engine_context_tokens(asked, token_counter()),
    )
    client = EngineClient(
        job,
        python=Path(sys.executable),
        log_path=tmp_path_factory.mktemp("engine") / "log",
        start_timeout=120,
        silence_timeout=60,
    )
    client.start()
    yield client
    client.close()
    assert client.exit_code == 0


@pytest.mark.model
class TestWithTheModel:
    def answers(self, client: EngineClient, *requests: Request) -> dict[str, Completion]:
        for item in requests:
            client.submit(item)
        found: dict[str, Completion] = {}
        self.beats: list[Heartbeat] = []
        deadline = time.monotonic() + 300
        while len(found) < len(requests):
            assert time.monotonic() < deadline
            for item in client.poll(1):
                if isinstance(item, Completion):
                    found[item.request_id] = item
                else:
                    self.beats.append(item)
        return found

    def test_a_document_becomes_one_paragraph_of_prose(self, client: EngineClient):
        asked = load_engine_profile("prose", Settings().prompts_dir)
        request = Prompter(asked, token_counter()).request(
            document=DOCUMENT, word_count=len(DOCUMENT.split()), request_id="1", seed=1
        )
        completion = self.answers(client, request)["1"]
        assert completion.error is None
        assert completion.text.startswith("The candidate is")
        assert "\n" not in completion.text.strip()
        assert len(completion.text.split()) >= 15
        assert 0 < completion.completion_tokens <= asked.sampling.max_new_tokens
        assert completion.prompt_tokens > 100
        # The event loop lives while the library computes: that is what a heartbeat proves.
        assert self.beats

    def test_several_requests_and_a_long_one_do_not_disturb_each_other(self, client: EngineClient):
        short = Sampling(temperature=0.0, max_new_tokens=12)
        requests = [
            Request(f"n{number}", (Message("user", "Say hello."),), short) for number in range(4)
        ]
        long = Request("long", (Message("user", "word " * 5000),), short)
        found = self.answers(client, *requests, long)
        assert found["long"].error == "exceed_context_size_error 400"
        assert all(found[f"n{number}"].text for number in range(4))
