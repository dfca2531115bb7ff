"""CPython 3.12 (until 3.12.4) mixes up a name that one comprehension binds and a sibling reads.

`{stem for job in jobs for stem in job}` before `[stem(word) for word in words]` in one function
raises UnboundLocalError there: https://peps.python.org/pep-0709/ inlines both into the function.
"""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.paths import REPOSITORY

PLACES = ("include", "dags", "plugins", "scripts")
PAIR = """
def s(x): ...
def f(a, b):
    x = {s for j in a for s in j}
    return [s(w) for w in b], x
"""
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)


def mixed_names(source: str) -> Iterator[tuple[str, str]]:
    """Functions and the module's names that one comprehension binds and another one reads."""
    module = symtable.symtable(source, "source", "exec")
    tops = {symbol.get_name() for symbol in module.get_symbols() if symbol.is_assigned()}
    tops |= {symbol.get_name() for symbol in module.get_symbols() if symbol.is_imported()}
    tops |= {table.get_name() for table in module.get_children()}
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        bound: set[str] = set()
        free: set[str] = set()
        for node in ast.walk(function):
            if isinstance(node, COMPREHENSIONS):
                names = [item for item in ast.walk(node) if isinstance(item, ast.Name)]
                own = {item.id for item in names if isinstance(item.ctx, ast.Store)}
                bound |= own
                free |= {item.id for item in names} - own
        for name in sorted(bound & free & tops):
            yield function.name, name


@pytest.mark.parametrize("place", PLACES)
def test_no_comprehension_binds_what_a_sibling_reads_from_the_module(place: str):
    found = [
        f"{path.relative_to(REPOSITORY)}: {function}: {name}"
        for path in sorted(Path(REPOSITORY / place).rglob("*.py"))
        for function, name in mixed_names(path.read_text())
    ]
    assert found == []


def test_the_pair_that_failed_in_a_lane_is_found():
    assert list(mixed_names(PAIR)) == [("f", "s")]
