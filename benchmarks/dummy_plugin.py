"""A plugin of SGLang's processes that makes dummy weights behave like a trained model.

Random experts and a router that spreads tokens over all of them (left alone, dummy weights send
each token to the same four), and answers that are dictated: one large logit a row, under the real
sampler, grammar, penalty and stops. Which answer, follows from the length of the prompt.
vLLM's processes take the first half only (`install_vllm`).

`SGLANG_DUMMY_ANSWERS` names the file of the answers, `SGLANG_DUMMY_TABLE` the only form of them.
With `SGLANG_DUMMY_GRAMMARS=both` a schema with a leading blank goes to llguidance and any other to
xgrammar, in one engine. `SGLANG_DUMMY_CONTROL` names a file of scheduler settings that is read
whenever the prefix cache is emptied.
"""

from __future__ import annotations

import functools
import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import torch

_SURE = 10_000.0
_SCALE_EXPONENT = 120
_MOST_SLOTS = 8192
_RETURN = 200002


def install() -> None:
    """Wraps the few places; SGLang calls it in each of its processes."""
    from sglang.srt.constrained import grammar_manager
    from sglang.srt.managers.scheduler import Scheduler
    from sglang.srt.model_loader import loader
    from sglang.srt.models.gpt_oss import GptOssForCausalLM

    loader.initialize_dummy_weights = functools.partial(_spread, loader.initialize_dummy_weights)
    GptOssForCausalLM.__init__ = _with_answers(GptOssForCausalLM.__init__)
    GptOssForCausalLM.forward = _dictating(GptOssForCausalLM.forward)
    if os.environ.get("SGLANG_DUMMY_GRAMMARS") == "both":
        create = grammar_manager.create_grammar_backend
        grammar_manager.create_grammar_backend = functools.partial(_both_grammars, create)
    if os.environ.get("SGLANG_DUMMY_CONTROL"):
        _control(Scheduler, Path(os.environ["SGLANG_DUMMY_CONTROL"]))


def install_vllm() -> None:
    """Spreads the dummy weights of vLLM, which calls it in each of its processes."""
    from vllm.model_executor.model_loader.dummy_loader import DummyModelLoader

    fill = DummyModelLoader.load_weights

    def load_weights(self: Any, model: torch.nn.Module, config: Any) -> None:
        _spread(functools.partial(fill, self), model, config)

    DummyModelLoader.load_weights = load_weights


def _spread(fill: Any, model: torch.nn.Module, *arguments: Any) -> None:
    fill(model, *arguments)
    draw = torch.Generator(device="cuda")
    draw.manual_seed(3)
    for name, weight in model.named_parameters():
        if weight.dtype == torch.uint8:
            if "scale" in name:
                weight.data.fill_(_SCALE_EXPONENT)
            else:
                weight.data.random_(0, 256, generator=draw)
        elif name.endswith("norm.weight"):
            weight.data.fill_(1.0)
        elif name.endswith("router.weight"):
            weight.data.normal_(0, weight.shape[1] ** -0.5, generator=draw)
        elif ".router." in name:
            weight.data.zero_()


def _with_answers(make: Any) -> Any:
    def __init__(self: Any, *arguments: Any, **named: Any) -> None:
        make(self, *arguments, **named)
        tables = json.loads(Path(os.environ["SGLANG_DUMMY_ANSWERS"]).read_text())
        if only := os.environ.get("SGLANG_DUMMY_TABLE"):
            tables = [tables[int(only)]]
        longest = max(len(row) for rows in tables for row in rows) + 1
        padded = [[row + [_RETURN] * (longest - len(row)) for row in rows] for rows in tables]
        self.dictated = torch.tensor(padded, dtype=torch.int64, device="cuda")
        self.prompt_tokens = torch.zeros(_MOST_SLOTS, dtype=torch.int64, device="cuda")

    return __init__


def _dictating(forward: Any) -> Any:
    @torch.no_grad()
    def dictating(
        self: Any, input_ids: Any, positions: Any, batch: Any, *more: Any, **named: Any
    ) -> Any:
        output = forward(self, input_ids, positions, batch, *more, **named)
        logits = getattr(output, "next_token_logits", None)
        if logits is None or logits.shape[0] != batch.seq_lens.shape[0]:
            return output
        lengths = batch.seq_lens.to(torch.int64)
        if batch.forward_mode.is_extend():
            self.prompt_tokens[batch.req_pool_indices] = lengths
        prompt = self.prompt_tokens[batch.req_pool_indices]
        tables, rows, longest = self.dictated.shape
        step = (lengths - prompt).clamp(0, longest - 1)
        token = self.dictated[prompt % tables, prompt // tables % rows, step]
        logits.scatter_(1, token.unsqueeze(1), _SURE)
        return output

    return dictating


def _both_grammars(create: Any, server_args: Any, tokenizer: Any, *more: Any, **named: Any) -> Any:
    from sglang.srt.constrained.llguidance_backend import GuidanceBackend

    backend = create(server_args, tokenizer, *more, **named)
    other = GuidanceBackend(
        tokenizer=tokenizer,
        any_whitespace=False,
        n_vocab=more[0],
        eos_token_ids=more[1] if len(more) > 1 else named.get("eos_token_ids"),
    )
    first = backend.dispatch_json
    backend.dispatch_json = lambda key: (other.dispatch_json if key[:1] == " " else first)(key)
    return backend


def _control(scheduler: Any, path: Path) -> None:
    flush, prefill = scheduler.flush_cache, scheduler._get_new_batch_prefill_raw

    def flush_cache(self: Any, *arguments: Any, **named: Any) -> Any:
        if path.exists():
            _apply(self, json.loads(path.read_text()))
            path.unlink()
        return flush(self, *arguments, **named)

    def get_new_batch_prefill(self: Any, *arguments: Any, **named: Any) -> Any:
        """`prefill_decode_interval` of 0.5.23, for versions without it."""
        running = named.get("running_batch")
        waits = self.chunked_req is None and running is not None and running.reqs
        if waits and getattr(self, "dummy_rounds", 0) > 0:
            self.dummy_rounds -= 1
            return None, running
        batch, running = prefill(self, *arguments, **named)
        if batch is not None:
            self.dummy_rounds = getattr(self, "dummy_interval", 0)
        return batch, running

    scheduler.flush_cache = flush_cache
    scheduler._get_new_batch_prefill_raw = get_new_batch_prefill


def _apply(scheduler: Any, settings: dict[str, Any]) -> None:
    from sglang.srt.managers.min_free_slots_delayer import MinFreeSlotsDelayer

    slots = settings.get("min_free_slots_delay")
    scheduler.min_free_slots_delayer = MinFreeSlotsDelayer(slots) if slots else None
    scheduler.dummy_interval, scheduler.dummy_rounds = settings.get("prefill_decode_interval", 0), 0
    delayer = getattr(scheduler, "dummy_delayer", None) or scheduler.prefill_delayer
    scheduler.dummy_delayer = delayer
    scheduler.prefill_delayer = delayer if settings.get("enable_prefill_delayer") else None
    print("DUMMY settings", json.dumps(settings), SimpleNamespace(delayer=delayer), flush=True)
