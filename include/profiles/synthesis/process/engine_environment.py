"""The environment of an engine process: offline, without secrets, able to import this package."""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Collection
from pathlib import Path

from profiles.synthesis.engines import engine_path

__all__ = ["cache_environment", "child_environment"]

_PACKAGE_PARENT = Path(__file__).resolve().parents[3]
_PLUGIN = _PACKAGE_PARENT / "engine_plugin"
"""Metadata by which SGLang finds `profiles.synthesis.sglang.expert_tiles`."""

# The engine must not be able to reach the database, the API or a hub, whatever it loads. A list of
# what it gets, because nobody can list how others name their secrets.
_PASSED = frozenset(
    {
        "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR",
        "TEMP", "TMP", "LD_LIBRARY_PATH", "LD_PRELOAD", "LIBRARY_PATH", "CPATH", "CC", "CXX",
        "PYTHONPATH", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE", "VIRTUAL_ENV",
        "SSL_CERT_FILE", "SSL_CERT_DIR", "HF_HOME", "HF_HUB_CACHE", "TRANSFORMERS_CACHE",
    }
)  # fmt: skip
_PASSED_PREFIXES = (
    "LC_", "XDG_", "CUDA_", "NVIDIA_", "NCCL_", "NVSHMEM_", "HIP_", "HSA_", "ROCR_", "ROCM_",
    "AMD_", "SGLANG_", "SGL_", "VLLM_", "TRITON_", "TORCH", "PYTORCH_", "TVM_", "FLASHINFER_",
    "DG_", "TIKTOKEN_", "GLOO_", "OMP_", "MKL_", "KMP_", "OPENBLAS_", "GGML_", "LLAMA_", "MALLOC_",
)  # fmt: skip
_SECRET = re.compile(r"TOKEN|SECRET|PASSW|CREDENTIAL|_KEY\b|API_?KEY")
_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "TOKENIZERS_PARALLELISM": "false",
    "PYTHONSAFEPATH": "1",
    "PYTHONUNBUFFERED": "1",
    # SGLang names its processes, and a long name would overwrite the environment that the kernel
    # shows, and with it the mark by which an engine without a lane is known.
    "SPT_NOENV": "1",
}


_CACHES = {
    "TRITON_CACHE_DIR": "triton",
    "TORCHINDUCTOR_CACHE_DIR": "torchinductor",
    "SGLANG_CACHE_DIR": "sglang",
    "SGLANG_JIT_CACHE_DIR": "sglang/jit",
    "SGLANG_DG_CACHE_DIR": "deep_gemm",
    "VLLM_CACHE_ROOT": "vllm",
    "TVM_FFI_CACHE_DIR": "tvm_ffi",
    "FLASHINFER_WORKSPACE_BASE": "flashinfer",
    "CUDA_CACHE_PATH": "cuda",
}
"""Where SGLang 0.5.17 and 0.5.23, vLLM 0.32.0 and their kernel libraries keep what they compiled.
Each defaults to a folder of its own below the home directory, which a container loses."""


def cache_environment(folder: Path) -> dict[str, str]:
    """Puts compiled kernels below `folder`; what the operator has set already stays."""
    return {name: str(folder / part) for name, part in _CACHES.items() if not os.environ.get(name)}


def child_environment(
    engine: str, extra: dict[str, str], *, passed: Collection[str] = ()
) -> dict[str, str]:
    """The engine's environment: what engines are known to read of ours, offline, able to import us.

    `passed` names what this job needs too, such as the key of its server.

    Only the folder that holds this package and, for `module:Class`, the one that holds that
    module are put on the path; never site-packages, whose libraries belong to this interpreter.
    """
    kept = {
        name: value
        for name, value in os.environ.items()
        if name in passed
        or name in _PASSED
        or (name.startswith(_PASSED_PREFIXES) and not _SECRET.search(name))
    }
    folders = [str(_PACKAGE_PARENT), str(_PLUGIN), *_module_folders(engine)]
    inherited = kept.get("PYTHONPATH")
    if inherited:
        folders.append(inherited)
    return {**kept, **_OFFLINE, "PYTHONPATH": os.pathsep.join(dict.fromkeys(folders)), **extra}


def _module_folders(engine: str) -> list[str]:
    top = engine_path(engine).partition(":")[0].partition(".")[0]
    if top == "profiles":
        return []
    spec = importlib.util.find_spec(top)
    if spec is None:
        return []
    places = list(spec.submodule_search_locations or ([spec.origin] if spec.origin else []))
    parents = [Path(place).resolve().parent for place in places]
    return [str(parent) for parent in parents if parent.name != "site-packages"]
