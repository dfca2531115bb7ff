"""What arguments of SGLang say about CUDA graphs for prefill steps.

Read in SGLang 0.5.17 and 0.5.23: the first of `cuda_graph_config`, `cuda_graph_backend_prefill`,
`disable_prefill_cuda_graph` and `disable_cuda_graph` that says anything counts, and there are none
where prompts are read whole, without chunks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["wants_prefill_graphs"]

_OFF = "disabled"
_SIZES = ("cuda_graph_max_bs_prefill", "cuda_graph_bs_prefill")


def wants_prefill_graphs(arguments: Mapping[str, Any]) -> bool | None:
    """Whether they ask for such graphs; None where they leave it to SGLang.

    >>> wants_prefill_graphs({"disable_cuda_graph": True, "cuda_graph_backend_prefill": "full"})
    True
    """
    chunk = arguments.get("chunked_prefill_size")
    if isinstance(chunk, int) and chunk < 1:
        return False
    backend = _phase(arguments).get("backend") or arguments.get("cuda_graph_backend_prefill")
    if backend is not None:
        return bool(backend != _OFF)
    if arguments.get("disable_prefill_cuda_graph") or arguments.get("disable_cuda_graph"):
        return False
    if "disable_prefill_cuda_graph" in arguments or _phase(arguments):
        return True
    return True if any(arguments.get(name) for name in _SIZES) else None


def _phase(arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    config = arguments.get("cuda_graph_config") or {}
    if isinstance(config, str):
        try:
            config = json.loads(config)
        except ValueError:
            return {}  # SGLang refuses it, and says so.
    phase = config.get("prefill") if isinstance(config, Mapping) else None
    return phase if isinstance(phase, Mapping) else {}
