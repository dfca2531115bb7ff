"""Environment of an engine process, and the folder of its compiled kernels."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from profiles.synthesis.engine_environment import cache_environment, child_environment


@pytest.mark.parametrize(
    "name",
    [
        "NCCL_NVLS_ENABLE",
        "TORCH_SYMM_MEM_DISABLE_MULTICAST",
        "NVSHMEM_DISABLE_NVLS",
        "CUDA_VISIBLE_DEVICES",
        "SGLANG_IS_FLASHINFER_AVAILABLE",
        "LD_LIBRARY_PATH",
        "TRITON_CACHE_DIR",
    ],
)
def test_switches_of_cuda_nccl_and_sglang_reach_the_engine(monkeypatch, name):
    monkeypatch.setenv(name, "7")
    assert child_environment("sglang", {})[name] == "7"


def test_the_lanes_devices_win_over_what_it_inherited(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "0,1")
    assert child_environment("sglang", {"CUDA_VISIBLE_DEVICES": "1"})["CUDA_VISIBLE_DEVICES"] == "1"


def test_folders_of_the_path_stay_behind_ours(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/somewhere")
    folders = child_environment("sglang", {})["PYTHONPATH"].split(os.pathsep)
    assert folders[-1] == "/somewhere"
    assert (Path(folders[0]) / "profiles").is_dir()


@pytest.mark.parametrize(
    "name",
    [
        "PGPASSWORD", "AIRFLOW_CONN_PROFILES_DB", "PROFILES_MODEL", "BROKER", "POSTGRES",
        "REDIS_PASSWORD", "OWNER_PASSWORD", "AWS_SECRET_ACCESS_KEY", "TEAM_KEY", "SGLANG_API_KEY",
        "DATABASE_URL",
    ],
)  # fmt: skip
def test_secrets_and_addresses_do_not(monkeypatch, name):
    monkeypatch.setenv(name, "secret")
    assert name not in child_environment("sglang", {})


def test_a_hub_stays_out_of_reach(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    assert child_environment("sglang", {})["HF_HUB_OFFLINE"] == "1"


def test_each_kernel_cache_gets_a_place_of_its_own_in_the_folder(monkeypatch):
    for name in cache_environment(Path("/cache")):
        monkeypatch.delenv(name, raising=False)
    found = cache_environment(Path("/cache"))
    assert {"TRITON_CACHE_DIR", "TORCHINDUCTOR_CACHE_DIR", "SGLANG_CACHE_DIR"} <= found.keys()
    assert len(set(found.values())) == len(found)
    assert all(Path(value).is_relative_to("/cache") for value in found.values())


def test_a_cache_folder_of_the_operator_stays(monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", "/mine")
    assert "TRITON_CACHE_DIR" not in cache_environment(Path("/cache"))


def test_the_key_of_a_server_reaches_the_engine_that_asks_for_it(monkeypatch):
    monkeypatch.setenv("TEAM_KEY", "k")
    assert child_environment("openai", {}, passed=["TEAM_KEY"])["TEAM_KEY"] == "k"
