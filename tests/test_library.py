"""The library `kafu` as users get it: built, and used without other packages."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from kafu.notation.writer import write
from kafu.simulation.simulate import simulate
from lengths import LONG
from tests.conftest import ROOT

#: Calls a hook of the build backend, as pip does.
HOOK = """
import sys
sys.path.insert(0, ".")
import backend
print(getattr(backend, sys.argv[1])(*sys.argv[2:]))
"""
#: Runs the command of the package, which does not import Django.
COMMAND = """
import sys
sys.modules["django"] = None
from importlib.metadata import entry_points
[command] = entry_points(group="console_scripts", name="kafu")
command.load()()
"""
#: elote brings setuptools, pip-audit brings pip.
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")


def run(*command: str | Path, cwd: Path, text: str | None = None, **environment: str) -> str:
    """Run a program, which must succeed; return its output."""
    env = {"PATH": "/usr/bin:/bin", **environment}
    result = subprocess.run(command, cwd=cwd, env=env, input=text, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the source distribution, and return its unpacked folder."""
    place = tmp_path_factory.mktemp("source")
    unfit = shutil.ignore_patterns("__pycache__", "build", "dist", "*.egg-info")
    shutil.copytree(ROOT / "kafu", place / "kafu", ignore=unfit)
    command = (sys.executable, "-c", HOOK, "build_sdist", place)
    name = run(*command, cwd=place / "kafu").split()[-1]
    shutil.unpack_archive(place / name, place / "unpacked")
    (unpacked,) = (place / "unpacked").iterdir()
    return unpacked


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the library as `pip` does: from the source distribution."""
    place = tmp_path_factory.mktemp("built")
    run(sys.executable, "-c", HOOK, "build_wheel", place, cwd=source)
    (built,) = place.glob("*.whl")
    return built


def test_wheel_verifies_a_game_alone(wheel: Path, tmp_path: Path) -> None:
    """Unpack the wheel; in `make test-long` pip installs it."""
    alone = tmp_path / "alone"
    if LONG:
        run(sys.executable, "-m", "venv", "--without-pip", alone, cwd=tmp_path)
        python: list[str | Path] = [alone / "bin/python"]
        run(*PIP, "--python", *python, "install", "--quiet", "--no-index", wheel, cwd=tmp_path)
    else:
        python = [sys.executable, "-S"]
        shutil.unpack_archive(wheel, alone, "zip")
    game = write(simulate("hachihachi", seed=1))
    printed = run(*python, "-c", COMMAND, "verify", "-", cwd=alone, text=game)
    assert printed.startswith("verified    -:1  ")


def test_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    paths = (path for path in (ROOT / "kafu/src").rglob("*") if path.is_file())
    files = {path.relative_to(ROOT / "kafu/src").as_posix() for path in paths}
    expected = {name for name in files if "__pycache__" not in name and "egg-info" not in name}
    assert {"kafu/py.typed", "kafu/notation/json/kafu.schema.json"} <= expected
    assert {name for name in names if ".dist-info/" not in name} == expected


def test_source_distribution_has_its_tests(source: Path) -> None:
    """All files of the tests are there; in `make test-long` they run."""
    for folder in ("tests", "conformance"):
        files = {path.relative_to(ROOT / "kafu") for path in (ROOT / "kafu" / folder).rglob("*.*")}
        built = {path.relative_to(source) for path in (source / folder).rglob("*.*")}
        assert {path for path in files - built if "__pycache__" not in path.parts} == set()
    if LONG:
        run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=source)


def test_compiled_wheel_requires_the_compiler(source: Path) -> None:
    command = (sys.executable, "-c", HOOK, "get_requires_for_build_wheel")
    assert "mypy" not in run(*command, cwd=source)
    without_compiler = source / "mypyc.py"
    without_compiler.write_text("raise ImportError", encoding="utf-8")
    try:
        assert "mypy>=" in run(*command, cwd=source, KAFU_COMPILE="1", PYTHONPATH=".")
    finally:
        without_compiler.unlink()


def test_folder_of_the_same_name_does_not_hide_the_package() -> None:
    """In the checkout `kafu/` is a folder without `__init__.py`; the package takes precedence."""
    code = f"import sys; sys.path.append({str(ROOT / 'kafu/src')!r}); import kafu.cards"
    run(sys.executable, "-c", code, cwd=ROOT)
