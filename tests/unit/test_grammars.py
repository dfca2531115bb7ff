"""A grammar that cannot compile is a wrong job, before anything is loaded."""

from __future__ import annotations

import sys
import types

import pytest
from tests.paths import REPOSITORY

from profiles.errors import EngineJobError
from profiles.synthesis.engines.job_checks import check_schema

SCHEMA = (REPOSITORY / "include" / "prompts" / "structured" / "schema.json").read_text()


def library(monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    """A stand-in for llguidance that finds this fault."""
    module = types.ModuleType("llguidance")
    module.LLMatcher = types.SimpleNamespace(  # type: ignore[attr-defined]
        grammar_from_json_schema=lambda schema: schema, validate_grammar=lambda grammar: fault
    )
    monkeypatch.setitem(sys.modules, "llguidance", module)


def test_a_schema_that_compiles_is_taken(monkeypatch):
    library(monkeypatch, "")
    check_schema(SCHEMA, "llguidance")


def test_one_that_does_not_is_a_job_error_that_names_the_backend(monkeypatch):
    library(monkeypatch, "Unimplemented keys: [not]\nmore")
    with pytest.raises(EngineJobError, match=r"llguidance cannot compile .*schema\.json: Unimpl"):
        check_schema('{"not": {}}', "llguidance")


def test_json_without_a_grammar_backend_says_what_to_do():
    with pytest.raises(EngineJobError, match="tagged or prose"):
        check_schema(SCHEMA, "none")
