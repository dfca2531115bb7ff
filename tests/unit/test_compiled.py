"""Compiled modules are used only while they fit, and nothing of them is in the way otherwise."""

from __future__ import annotations

import argparse
import ast
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.paths import REPOSITORY

from profiles import cli, compiled, doctor
from profiles.compiled import LIBRARY, MANIFEST, Use
from profiles.settings import Settings
from scripts import compiled as builder

MODULE = "profiles/rendering/markdown.py"
READ = "profiles/errors.py"
_SHOW = """
import json, sys
from profiles import compiled
from profiles.rendering.markdown import ORIGIN
from profiles.rendering.titles import ORIGIN as OTHER
use = compiled.in_use()
print(json.dumps([ORIGIN, OTHER, use.state, use.detail, compiled.__file__]))
"""


@dataclass
class Clone:
    """A tree with the real activation, two modules, and a build of one of them."""

    root: Path

    @property
    def include(self) -> Path:
        return self.root / "include"

    @property
    def folder(self) -> Path:
        return self.root / ".profiles" / "compiled"

    @property
    def own(self) -> Path:
        return self.folder / compiled.abi()

    @property
    def manifest(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((self.own / MANIFEST).read_text())
        return found

    def change(self, **values: Any) -> None:
        (self.own / MANIFEST).write_text(json.dumps({**self.manifest, **values}))

    def python(self, code: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-c", code],
            env={"PATH": os.environ["PATH"], "PYTHONPATH": str(self.include), **environment},
            capture_output=True,
            text=True,
            check=True,
        )

    def show(self, **environment: str) -> tuple[str, Use, list[str]]:
        """Which of the two a process imported, what it says of it, and what it logged."""
        done = self.python(_SHOW, **environment)
        origin, other, state, detail, file = json.loads(done.stdout)
        assert Path(file).parents[2] == self.root
        assert other == "source", "what the build does not have comes from the source"
        return origin, Use(state, detail), done.stderr.splitlines()


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    made = Clone(tmp_path)
    package = made.include / "profiles"
    (package / "rendering").mkdir(parents=True)
    for name in ("__init__.py", "compiled.py"):
        shutil.copy(REPOSITORY / "include" / "profiles" / name, package / name)
    (package / "errors.py").touch()
    for name in ("__init__", "markdown", "titles"):
        (package / "rendering" / f"{name}.py").write_text('ORIGIN = "source"\n')
    binaries = {}
    for name, text in (("profiles.rendering.markdown", 'ORIGIN = "compiled"\n'), (LIBRARY, "\n")):
        # Python in the place of native code: which file is found is all that counts here.
        path = made.own / "build-1" / f"{name.rpartition('.')[2]}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        binaries[name] = (f"build-1/{path.name}", compiled.digest(path))
    manifest = {
        "abi": compiled.abi(),
        "mypyc": "2.0",
        "sources": {
            name: compiled.digest(made.include / name)
            for name in (MODULE, READ, "profiles/rendering/titles.py")
        },
        "binaries": binaries,
    }
    (made.own / MANIFEST).write_text(json.dumps(manifest))
    return made


def test_a_build_that_fits_is_used(clone: Clone) -> None:
    origin, use, log = clone.show()
    assert origin == "compiled"
    assert use == Use("used", "1 compiled modules, mypyc 2.0")
    assert log == []


def _edit(name: str) -> Callable[[Clone], None]:
    def edit(clone: Clone) -> None:
        with (clone.include / name).open("a") as file:
            file.write("# edited\n")

    return edit


def _write(text: str) -> Callable[[Clone], None]:
    return lambda clone: (clone.own / MANIFEST).write_text(text) and None


def _truncate(clone: Clone) -> None:
    (clone.own / "build-1" / "markdown.py").write_text("")


def _break_library(clone: Clone) -> None:
    """What the loader of another machine's or a damaged file refuses."""
    path = clone.own / "build-1" / f"{LIBRARY}{sysconfig.get_config_var('EXT_SUFFIX')}"
    path.write_bytes(b"\x7fELF and nothing else")
    place = (f"build-1/{path.name}", compiled.digest(path))
    clone.change(binaries={**clone.manifest["binaries"], LIBRARY: place})


def _fail_library(clone: Clone) -> None:
    path = clone.own / "build-1" / f"{LIBRARY}.py"
    path.write_text("raise SystemError('no such symbol')")
    place = (f"build-1/{path.name}", compiled.digest(path))
    clone.change(binaries={**clone.manifest["binaries"], LIBRARY: place})


UNFIT: dict[str, tuple[Callable[[Clone], object], str]] = {
    "an edited module": (_edit(MODULE), f"made of another {MODULE}"),
    "an edited module that it only reads": (_edit(READ), f"made of another {READ}"),
    "two edited modules": (
        lambda clone: [_edit(MODULE)(clone), _edit(READ)(clone)],
        f"made of another {MODULE} and 1 more",
    ),
    "a deleted module": (
        lambda clone: (clone.include / READ).unlink(),
        f"made of another {READ}",
    ),
    "an unknown digest": (
        lambda clone: clone.change(sources={**clone.manifest["sources"], READ: None}),
        "no manifest.json that can be read",
    ),
    "another interpreter's manifest": (
        lambda clone: clone.change(abi="cpython-39-x86_64-linux-gnu"),
        "they are for cpython-39-x86_64-linux-gnu",
    ),
    "no manifest": (lambda clone: (clone.own / MANIFEST).unlink(), "no manifest.json"),
    "an empty manifest": (_write(""), "no manifest.json that can be read"),
    "half a manifest": (_write('{"abi": "x", "sou'), "no manifest.json that can be read"),
    "a list": (_write("[1]"), "no manifest.json that can be read"),
    "no sources": (lambda clone: clone.change(sources={}), "no manifest.json that can be read"),
    "no library": (lambda clone: clone.change(binaries={}), "no manifest.json that can be read"),
    "odd binaries": (
        lambda clone: clone.change(binaries={LIBRARY: ["x"]}),
        "no manifest.json that can be read",
    ),
    "a truncated binary": (_truncate, "markdown.py is damaged"),
    "a missing binary": (
        lambda clone: (clone.own / "build-1" / "markdown.py").unlink(),
        "markdown.py is missing",
    ),
    "a library that cannot be loaded": (_break_library, "they cannot be loaded"),
    "a library that fails at its start": (_fail_library, "they cannot be loaded (no such symbol)"),
    "a build that others may write": (
        lambda clone: clone.own.chmod(0o775),
        f"others may write {compiled.abi()}",
    ),
    "a binary that others may write": (
        lambda clone: (clone.own / "build-1" / "markdown.py").chmod(0o666),
        "others may write markdown.py",
    ),
}


@pytest.mark.parametrize("name", UNFIT)
def test_a_build_that_does_not_fit_is_passed_over_and_said_once(name: str, clone: Clone) -> None:
    spoil, why = UNFIT[name]
    spoil(clone)
    origin, use, log = clone.show()
    assert origin == "source"
    assert use.state == "unfit"
    assert why in use.detail
    assert log == [f"{use.detail}: {compiled.REMEDY}"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
def test_a_stranger_s_build_is_passed_over(clone: Clone) -> None:
    os.chown(clone.own / MANIFEST, 12345, -1)
    origin, use, _ = clone.show()
    assert origin == "source"
    assert "others may write manifest.json" in use.detail


@pytest.mark.parametrize(
    ("what", "why"),
    [
        (f"include/{MODULE}", f"{MODULE} changed since this process began; restart it"),
        ("build", "is gone since this process began; restart it"),
    ],
)
def test_a_process_does_not_go_on_with_half_of_two_versions(
    what: str, why: str, clone: Clone
) -> None:
    path = clone.own / "build-1" / "markdown.py" if what == "build" else clone.root / what
    done = clone.python(
        "import pathlib, profiles\n"
        f"path = pathlib.Path({str(path)!r})\n"
        "path.unlink() if 'build-1' in path.parts else path.write_text('ORIGIN = 1')\n"
        "try:\n"
        "    import profiles.rendering.markdown\n"
        "except ImportError as error:\n"
        "    print(error)\n"
    )
    assert why in done.stdout


def test_a_build_of_another_interpreter_is_none(clone: Clone) -> None:
    clone.own.rename(clone.own.with_name("cpython-39-x86_64-linux-gnu"))
    origin, use, log = clone.show()
    assert (origin, use.state, log) == ("source", "none", [])
    assert compiled.abi() in use.detail


def test_without_a_build_one_look_is_all_it_costs(clone: Clone) -> None:
    shutil.rmtree(clone.folder)
    done = clone.python(
        "from __future__ import annotations\n"
        "import dataclasses, os, pathlib, sys, typing\n"
        "looks = []\n"
        "def counted(name, function):\n"
        "    def look(*given, **named):\n"
        "        looks.append(name)\n"
        "        return function(*given, **named)\n"
        "    return look\n"
        "for name in ('access', 'stat', 'lstat', 'listdir', 'scandir', 'readlink', 'open'):\n"
        "    setattr(os, name, counted(name, getattr(os, name)))\n"
        "before = set(sys.modules)\n"
        "import profiles\n"
        "print(looks, sorted(set(sys.modules) - before), len(sys.meta_path))\n"
    )
    assert done.stdout.startswith("['access'] ['profiles', 'profiles.compiled'] "), done.stdout


@pytest.mark.parametrize("value", ["0", "off", "f", "False", "n", "NO", "1", "true", "yes", "on"])
def test_the_switch_is_read_as_the_other_settings_are(value: str, clone: Clone) -> None:
    is_on = Settings(compiled=value).compiled  # type: ignore[arg-type]
    origin, use, log = clone.show(PROFILES_COMPILED=value)
    assert origin == ("compiled" if is_on else "source")
    assert use.state == ("used" if is_on else "off")
    assert log == []


def test_an_empty_switch_counts_as_not_set(clone: Clone) -> None:
    assert clone.show(PROFILES_COMPILED="")[0] == "compiled"


def test_a_later_activation_decides_anew(clone: Clone) -> None:
    done = clone.python(
        "import os\n"
        "from profiles import compiled\n"
        "before = compiled.in_use().state\n"
        "os.environ['PROFILES_COMPILED'] = '0'\n"
        "compiled.activate()\n"
        "from profiles.rendering.markdown import ORIGIN\n"
        "print(before, ORIGIN, compiled.in_use().state)\n"
    )
    assert done.stdout.split() == ["used", "source", "off"]


def test_a_later_activation_does_not_warn_again(clone: Clone) -> None:
    """As a command does whose `.env` has the switch, here on."""
    (clone.include / MODULE).write_text("ORIGIN = 'edited'\n")
    done = clone.python(
        "import os\n"
        "from profiles import compiled\n"
        "for value in ('1', '0', '1'):\n"
        "    os.environ['PROFILES_COMPILED'] = value\n"
        "    print(compiled.activate().state)\n"
    )
    assert done.stdout.split() == ["unfit", "off", "unfit"]
    assert done.stderr.count("made of another") == 1


@pytest.mark.parametrize(("adopted", "calls"), [((compiled.SWITCH,), 1), (("PROFILES_MODEL",), 0)])
def test_a_command_heeds_the_switch_of_the_clone_s_file(
    adopted: tuple[str, ...], calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parser = argparse.ArgumentParser()
    parser.set_defaults(command=lambda options: 0, verbose=False)
    activated: list[bool] = []
    monkeypatch.setattr(cli, "build_parser", lambda: parser)
    monkeypatch.setattr(cli.clone_environment, "adopt", lambda: adopted)
    monkeypatch.setattr(compiled, "activate", lambda: activated.append(True))
    assert cli.main([]) == 0
    assert len(activated) == calls


@pytest.mark.parametrize(
    ("state", "ok"), [("none", None), ("off", None), ("unfit", False), ("used", True)]
)
def test_doctor_says_what_runs(state: Any, ok: bool | None, monkeypatch: Any) -> None:
    monkeypatch.setattr(compiled, "in_use", lambda: Use(state, "what it is"))
    finding = doctor._compiled()
    assert (finding.name, finding.ok, finding.detail) == ("compiled modules", ok, "what it is")
    assert "make compiled" in finding.remedy


def test_the_digests_cover_all_that_compiled_modules_import() -> None:
    covered = set(builder.sources())
    for path in builder.modules():
        assert path.relative_to(compiled.INCLUDE).as_posix() in covered
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.ImportFrom):
                inner = [f"{node.module}.{alias.name}" for alias in node.names]
                names = [node.module or "", *inner]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            for name in names:
                file = Path(*name.split(".")).with_suffix(".py")
                if name.startswith("profiles.") and (compiled.INCLUDE / file).exists():
                    assert file.as_posix() in covered, f"{path.name} imports {name}"


def test_what_is_left_out_is_there() -> None:
    for name in builder.LEFT:
        assert (compiled.INCLUDE / "profiles" / name).exists()


def test_a_name_has_one_kind_of_error_in_a_function() -> None:
    """mypyc gives a name the type that it has first; another error under it is a TypeError."""
    for path in builder.modules():
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef):
                names = [
                    node.name
                    for node in ast.walk(function)
                    if isinstance(node, ast.ExceptHandler) and node.name
                ]
                assert len(names) == len(set(names)), f"{path.name}: {function.name}"


def test_without_a_compiler_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(builder, "FOLDER", tmp_path / "compiled")
    monkeypatch.setenv("CC", "no-such-compiler")
    assert builder.main([]) == 1
    said = capsys.readouterr().out
    assert "no C compiler 'no-such-compiler'" in said
    assert "apt-get install gcc libc6-dev python3-dev" in said
    assert list(tmp_path.iterdir()) == []


def test_without_headers_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(builder, "FOLDER", tmp_path / "compiled")
    monkeypatch.setenv("CC", sys.executable)
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path / "include"))
    assert builder.main([]) == 1
    said = capsys.readouterr().out
    assert "Python.h" in said
    assert "python3-dev" in said
    assert list(tmp_path.iterdir()) == []


def test_what_does_not_compile_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(builder, "FOLDER", tmp_path / "compiled")
    monkeypatch.setattr(builder, "LOG", tmp_path / "log" / "compiled.log")
    monkeypatch.setattr(builder, "missing", lambda: None)
    monkeypatch.setattr(builder, "_COMPILE", "raise SystemExit('gcc: out of memory')")
    assert builder.main([]) == 1
    assert "gcc: out of memory" in capsys.readouterr().out
    assert not (tmp_path / "compiled").exists()


def _built(tmp_path: Path, text: str) -> Path:
    """A folder as the compiler leaves it."""
    folder = tmp_path / text
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    for name in (LIBRARY, "profiles/rendering/markdown"):
        path = folder / f"{name}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def test_a_new_build_leaves_the_one_before_to_who_began_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "compiled"
    for text in ("first", "second", "third"):
        builder._put(folder, _built(tmp_path, text), {READ: text})
    own = folder / compiled.abi()
    manifest = json.loads((own / MANIFEST).read_text())
    assert manifest["sources"] == {READ: "third"}
    assert set(manifest["binaries"]) == {LIBRARY, "profiles.rendering.markdown"}
    place, known = manifest["binaries"]["profiles.rendering.markdown"]
    assert (own / place).read_text() == "third"
    assert known == compiled.digest(own / place)
    kept = {path.read_text(): path.parent for path in own.glob(f"build-*/{LIBRARY}*")}
    assert kept.keys() == {"first", "second", "third"}
    old = time.time() - 2 * 86_400
    os.utime(kept["first"], (old, old))
    builder._put(folder, _built(tmp_path, "fourth"), {READ: "fourth"})
    kept = {path.read_text(): path.parent for path in own.glob(f"build-*/{LIBRARY}*")}
    assert kept.keys() == {"second", "third", "fourth"}


def test_a_build_is_nobody_else_s_to_write_whatever_the_umask(tmp_path: Path) -> None:
    folder = tmp_path / "compiled"
    before = os.umask(0o002)
    try:
        builder._put(folder, _built(tmp_path, "first"), {READ: "first"})
    finally:
        os.umask(before)
    own = folder / compiled.abi()
    assert all(not path.stat().st_mode & 0o022 for path in (own, *own.rglob("*")))


def test_a_damaged_manifest_does_not_keep_a_new_build_out(tmp_path: Path) -> None:
    folder = tmp_path / "compiled"
    builder._put(folder, _built(tmp_path, "first"), {READ: "first"})
    manifest = folder / compiled.abi() / MANIFEST
    manifest.write_text("{")
    builder._put(folder, _built(tmp_path, "second"), {READ: "second"})
    assert json.loads(manifest.read_text())["sources"] == {READ: "second"}


def test_removing_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "compiled"
    monkeypatch.setattr(builder, "FOLDER", folder)
    builder._put(folder, _built(tmp_path, "first"), {READ: "first"})
    assert builder.main(["remove"]) == 0
    assert not folder.exists()
    assert builder.main(["remove"]) == 0
    assert "there are no compiled modules here" in capsys.readouterr().out
