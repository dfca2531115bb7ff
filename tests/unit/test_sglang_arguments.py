"""Options of SGLang's installed version, and errors for wrong ones."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest
from tests.unit.test_parallelism import GPT_OSS, RTX_4090

from profiles.errors import EngineJobError
from profiles.synthesis.engines.engine_terms import SGLANG
from profiles.synthesis.engines.job_checks import argument_types, check_options
from profiles.synthesis.engines.sglang_kernels import server_kernels
from profiles.synthesis.gpu.parallelism import plan_arguments


class Record:
    """Fields in every form that SGLang declares them in."""

    __struct_fields__ = ("size", "share", "flag", "name", "kind", "steps", "paths", "graphs")

    size: Annotated[int | None, "help"]
    share: float
    flag: bool
    name: Annotated[str | None, SimpleNamespace(choices=["lpm", "fcfs"])]
    kind: Literal["full", "disabled"] | None
    steps: list[int] | None
    paths: dict[str, str] | list[str] | None
    graphs: SimpleNamespace | None


KNOWN = argument_types(Record)


def check(**options: Any) -> None:
    check_options(options, known=KNOWN, terms=SGLANG, version="0.5.23")


@pytest.mark.parametrize(
    "options",
    [
        {"size": 8},
        {"size": None},
        {"share": 0.5},
        {"share": 1},
        {"flag": True},
        {"name": "lpm"},
        {"name": None},
        {"kind": "full"},
        {"steps": [1, 2]},
        {"paths": {"a": "/adapters/a"}},
        {"paths": ["/adapters/a"]},
        {"graphs": {"decode": {"max_bs": 8}}},
    ],
    ids=str,
)
def test_what_fits_is_accepted(options):
    check(**options)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"size": "8k"}, "size is '8k': Input should be a valid integer"),
        ({"size": True}, "size is True: Input should be a valid integer"),
        ({"size": 8.5}, "size is 8.5: Input should be a valid integer"),
        ({"share": "half"}, "share is 'half': Input should be a valid number"),
        ({"flag": "true"}, "flag is 'true': Input should be a valid boolean"),
        ({"flag": 1}, "flag is 1: Input should be a valid boolean"),
        ({"name": "lmp"}, "name is 'lmp', expected one of 'lpm', 'fcfs'"),
        ({"kind": "half"}, "kind is 'half': Input should be 'full' or 'disabled'"),
        ({"steps": [1, "2"]}, r"steps is \[1, '2'\]: Input should be a valid integer"),
        ({"paths": 3}, "paths is 3: Input should be an object or Input should be a valid array"),
        ({"graphs": 3}, "graphs is 3: Input should be a valid string or .*an object"),
        ({"sizes": 8}, "SGLang 0.5.23 does not know: 'sizes': did you mean 'size'"),
        ({"share": "a", "size": "b"}, "share is 'a'.*; size is 'b'"),
    ],
    ids=str,
)
def test_what_does_not_fit_is_named_with_what_was_expected(options, problem):
    with pytest.raises(EngineJobError, match=problem):
        check(**options)


def test_without_weights_the_kernels_are_planned_and_the_upcast_is_refused(monkeypatch, tmp_path):
    monkeypatch.setattr("profiles.synthesis.gpu.parallelism.visible_gpus", lambda: (RTX_4090,))
    (tmp_path / "config.json").write_text(json.dumps(GPT_OSS))
    given = {"terms": SGLANG, "kernels": server_kernels, "folder": tmp_path}
    assert plan_arguments({}, **given) == {
        "attention_backend": "triton",
        "moe_runner_backend": "triton_kernel",
        "disable_prefill_cuda_graph": True,
    }
    with pytest.raises(EngineJobError, match="into bf16"):
        plan_arguments({"moe_runner_backend": "triton"}, **given)
