"""SGLang's server arguments: the operator's checked, the planned ones put under them.

Names, types and choices are those that the installed `ServerArgs` declares: a dataclass in 0.5.17,
a msgspec struct in 0.5.23, each field annotated with its type and, on the command line, choices.
`Engine` itself checks neither type nor choice, and fails later in its own words.

The two versions differ, for this project, in: `constrained_json_max_whitespace_cnt` (0.5.23 only;
0.5.17 can only forbid free whitespace), `swa_full_tokens_ratio` (0.8; in 0.5.23 None, which means
0.8 where the model says nothing else), `torchao_config` (0.5.17 only).
"""

from __future__ import annotations

import difflib
import json
import logging
import os
import types
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from profiles.errors import EngineJobError
from profiles.synthesis.engines.base import refuse_unknown
from profiles.synthesis.gpu.cards import visible_gpus
from profiles.synthesis.gpu.kernels import plan_kernels
from profiles.synthesis.gpu.model_shape import ModelShape, Workload
from profiles.synthesis.gpu.parallelism import plan_engine
from profiles.synthesis.sglang.expert_tiles import tile_environment

__all__ = [
    "ServerPlan",
    "adapter_name",
    "argument_types",
    "plan_server",
    "planned_split",
    "server_arguments",
]

log = logging.getLogger(__name__)

_DEFAULTS: dict[str, Any] = {"log_level": "info", "grammar_backend": "llguidance"}
_MAX_WHITESPACE = 2
_OURS = frozenset({"model_path", "tokenizer_path"})
_UNPLANNED = frozenset({"quantization", "torchao_config", "cpu_offload_gb", "pp_size", "dp_size"})
"""Options that change what a card must hold in ways that the planner does not know."""
_NOTES = {
    "constrained_json_max_whitespace_cnt": "exists from SGLang 0.5.23 on; 0.5.17 has only "
    "constrained_json_disable_any_whitespace",
    "torchao_config": "was removed between SGLang 0.5.17 and 0.5.23",
    "speculative_skip_dp_mlp_sync": "was removed between SGLang 0.5.17 and 0.5.23",
    "cuda_graph_tc_compiler": "was removed between SGLang 0.5.17 and 0.5.23",
    "speculative_draft_kv_cache_dtype": "exists from SGLang 0.5.23 on",
    "cuda_graph_max_bs": "is called cuda_graph_max_bs_decode",
    "disable_cuda_graph_prefill": "is called disable_prefill_cuda_graph",
    "tp": "is called tp_size",
    "tensor_parallel_size": "is called tp_size",
    "dp": "is called dp_size",
}
_MOST_CHOICES_SHOWN = 24

ServerPlan = tuple[dict[str, Any], tuple[str, ...]]
"""Arguments, and why, one sentence a choice."""


def argument_types(server_args: Any) -> dict[str, Any]:
    """Each argument of `ServerArgs` by name, with its annotation."""
    names = getattr(server_args, "__struct_fields__", None) or tuple(
        getattr(server_args, "__dataclass_fields__", ())
    )
    hints = get_type_hints(server_args, include_extras=True)
    return {name: hints.get(name, Any) for name in names if not name.startswith("_")}


def server_arguments(
    options: Mapping[str, Any],
    *,
    known: Mapping[str, Any],
    version: str,
    planned: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Our defaults and the plan under the operator's options, fitted to the installed version.

    `known` are the arguments of that version, as `argument_types` gives them.

    Raises:
        EngineJobError: an option that this version does not have, that has a wrong type or
            choice, or that we set ourselves.
    """
    refuse_unknown(options, known.keys() - _OURS, library=f"SGLang {version}", notes=_NOTES)
    wrong = [
        problem
        for name, value in sorted(options.items())
        for problem in _problems(name, value, known[name])
    ]
    if wrong:
        raise EngineJobError(
            f"PROFILES_ENGINE_OPTIONS does not fit SGLang {version}: {'; '.join(wrong)}"
        )
    if options.get("reasoning_parser"):
        raise EngineJobError(
            "option reasoning_parser cannot go together with a JSON schema: the grammar would "
            "start inside the reasoning; remove it"
        )
    if options.get("log_requests"):
        raise EngineJobError("option log_requests writes profiles into a log; remove it")
    adapter_name(options)
    arguments = {**_DEFAULTS, **(planned or {}), **options}
    # Unbounded whitespace lets a model print spaces until its token cap, and only xgrammar has a
    # bound for it.
    is_bounded = "constrained_json_max_whitespace_cnt" in known
    if arguments["grammar_backend"] == "xgrammar" and is_bounded:
        arguments.setdefault("constrained_json_max_whitespace_cnt", _MAX_WHITESPACE)
    else:
        arguments.setdefault("constrained_json_disable_any_whitespace", True)
    return {name: value for name, value in arguments.items() if name in known}


def plan_server(
    options: Mapping[str, Any],
    *,
    config: Mapping[str, Any],
    folder: Path,
    workload: Workload,
    wanted: bool = True,
) -> ServerPlan:
    """What the visible cards and this model suggest; nothing where too little is known, or
    where a plan is not `wanted`.

    Raises:
        EngineJobError: the model cannot fit, or an option would turn MXFP4 experts into bf16.
    """
    cards = visible_gpus()
    weights = _weight_bytes(folder)
    try:
        shape = ModelShape.from_config(config, weights)
    except (KeyError, TypeError, ValueError):
        return _left_to_sglang("config.json does not describe the model's shape")
    if not cards:
        return _left_to_sglang("no GPU is visible to nvidia-smi")
    card = min(cards, key=lambda item: item.memory_bytes)
    # Whatever else is unknown, these kernels must not be the wrong ones.
    kernels, reasons = plan_kernels(shape, card, options)
    if tiles := tile_environment(shape, card):
        # SGLang's processes inherit it, and our plugin reads it there.
        os.environ.update(tiles)
        reasons.append(
            "expert kernels get tiles of 128 x 64, which spill no registers on this card"
        )
    if not wanted:
        return _left_to_sglang("the preset says so")
    unplanned = sorted(_UNPLANNED & options.keys())
    if not weights or unplanned:
        why = f"option {unplanned[0]} is not reckoned with" if unplanned else "no *.safetensors"
        sizes, left = _left_to_sglang(why)
        _log(reasons)
        return {**kernels, **sizes}, (*reasons, *left)
    plan = plan_engine(shape, cards, workload=workload, options=options)
    _log(plan.reasons)
    return plan.arguments, plan.reasons


def planned_split(options: Mapping[str, Any], folder: Path) -> int:
    """Over how many of the visible cards one engine is split; 1 where too little is known.

    Raises:
        EngineJobError: the model fits no split of them.
    """
    cards = visible_gpus()
    weights = _weight_bytes(folder)
    if not cards or not weights or _UNPLANNED & options.keys():
        return 1
    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        shape = ModelShape.from_config(config, weights)
    except (OSError, KeyError, TypeError, ValueError) as error:
        # The engine process reads the same file and refuses the job in full.
        log.info("config.json of the model cannot be used (%s)", type(error).__name__)
        return 1
    return plan_engine(shape, cards, options=options).cards_per_engine


def adapter_name(options: Mapping[str, Any]) -> str | None:
    """The LoRA adapter that every request uses: the one in `lora_paths`.

    Raises:
        EngineJobError: it has several, and nothing says which profile is to use which.
    """
    paths = options.get("lora_paths")
    if not paths:
        return None
    names = list(paths) if isinstance(paths, dict) else [_adapter(item) for item in paths]
    if len(names) > 1:
        raise EngineJobError(
            f"lora_paths names {len(names)} adapters, and a run asks all requests of one; keep one"
        )
    return names[0]


def _adapter(item: Any) -> str:
    """The name of one of `lora_paths`: a mapping, NAME=PATH, or a path that is its own name."""
    if isinstance(item, dict):
        return str(item.get("lora_name") or next(iter(item)))
    return str(item).partition("=")[0]


def _weight_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("*.safetensors"))


def _left_to_sglang(why: str) -> ServerPlan:
    reason = f"sizes are left to SGLang: {why}"
    _log([reason])
    return {}, (reason,)


def _log(reasons: Iterable[str]) -> None:
    for reason in reasons:
        log.info("plan: %s", reason)


def _problems(name: str, value: Any, annotation: Any) -> Iterator[str]:
    hint, choices = _unwrap(annotation)
    if not _fits(value, hint):
        yield f"{name} is {value!r}, expected {_spell(hint)}"
    elif choices is not None:
        for item in value if isinstance(value, list) else [value]:
            if item is not None and item not in choices:
                yield f"{name} is {item!r}, expected {_one_of(choices, item)}"


def _unwrap(annotation: Any) -> tuple[Any, list[Any] | None]:
    """The type, and the choices that the command line would allow."""
    if get_origin(annotation) is not Annotated:
        return annotation, None
    hint, *metadata = get_args(annotation)
    found = [item.choices for item in metadata if getattr(item, "choices", None)]
    return hint, list(found[0]) if found else None


def _fits(value: Any, hint: Any) -> bool:
    """Whether a value out of JSON can be of this type. Types of SGLang's own are let through."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(_fits(value, item) for item in inner)
    if origin is Annotated:
        return _fits(value, inner[0])
    if origin is Literal:
        return any(type(value) is type(item) and value == item for item in inner)
    if hint in (None, type(None)):
        return value is None
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint in (bool, str):
        return isinstance(value, hint)
    if (origin or hint) is dict:
        return isinstance(value, dict)
    if (origin or hint) in (list, tuple, set):
        return isinstance(value, list) and all(_fits(item, inner[0]) for item in value if inner)
    return not isinstance(hint, type) or isinstance(value, str | dict)


def _spell(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(dict.fromkeys(_spell(item) for item in inner))
    if origin is Annotated:
        return _spell(inner[0])
    if origin is Literal:
        return _one_of(list(inner), None)
    if hint in (None, type(None)):
        return "null"
    if (origin or hint) in (list, tuple, set):
        return f"a list of {_spell(inner[0])}" if inner else "a list"
    if (origin or hint) is dict:
        return "an object"
    if hint is bool:
        return "true or false"
    return str(getattr(hint, "__name__", hint))


def _one_of(choices: list[Any], wrong: Any) -> str:
    if len(choices) <= _MOST_CHOICES_SHOWN:
        return f"one of {', '.join(map(repr, choices))}"
    nearest = difflib.get_close_matches(str(wrong), list(map(str, choices)), n=3)
    shown = f" such as {', '.join(map(repr, nearest))}" if nearest else ""
    return f"one of SGLang's {len(choices)} choices{shown}"
