"""The benchmark measures every route that answers with data: none is promised unmeasured."""

from __future__ import annotations

import pytest
from benchmarks import page as benchmark
from fastapi.routing import APIRoute

# Airflow's own libraries warn; warnings are errors where our code runs alone.
pytestmark = [pytest.mark.release, pytest.mark.filterwarnings("default")]


def test_every_data_route_is_measured():
    from profile_runs.api import build_app

    routes = {route.path for route in build_app().routes if isinstance(route, APIRoute)}
    asked = {path for path in routes if path.startswith("/api/")} - {"/api/me"}
    measured = {
        path.replace(f"/{benchmark.SOMEBODY}", "/{candidate_id}") for _, path, _ in benchmark.ROUTES
    }
    assert asked - measured == set()


def test_the_benchmark_runs_and_names_each_route(database, monkeypatch):
    from profile_runs.database import close_pools

    monkeypatch.setenv("PROFILES_DATABASE_URL", database.url)
    result = benchmark.measure(database, people=200, seed=3, words=50, times=2)
    close_pools()
    assert [row["route"] for row in result["routes"]] == [name for name, *_ in benchmark.ROUTES]
    assert all(0 < row["p50_ms"] <= row["p95_ms"] for row in result["routes"])
