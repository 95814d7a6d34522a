"""The client as a distribution of its own: built, unpacked, and run where nothing else is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import ROOT

BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
#: Imports each module of the client, runs it, and says what came along.
RUN = """
import importlib, pkgutil, sys
before = {name.partition(".")[0] for name in sys.modules}
sys.path.insert(0, sys.argv.pop())
import hana
for module in pkgutil.iter_modules(hana.__path__, "hana."):
    if module.name != "hana.__main__":
        importlib.import_module(module.name)
from hana.cli import main
print(hana.__file__, *{name.partition(".")[0] for name in sys.modules} - before)
try:
    main(["--version"])
except SystemExit:
    pass
main(["completion", "bash"])
"""
#: What only the archive has.
ARCHIVES = {one.parent.name for one in ROOT.glob("*/__init__.py")} - {"hana"} | {"kafu", "django"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The client as `pip install ./hana` builds it."""
    folder = tmp_path_factory.mktemp("wheel")
    source = shutil.copytree(
        ROOT / "hana", folder / "source", ignore=shutil.ignore_patterns("__pycache__", "build")
    )
    subprocess.run(
        [sys.executable, "-c", BUILD, folder], cwd=source, check=True, capture_output=True
    )
    (found,) = folder.glob("*.whl")
    return found


def test_it_holds_the_client_alone(wheel: Path) -> None:
    with ZipFile(wheel) as files:
        names = files.namelist()
        entries = files.read(next(one for one in names if one.endswith("entry_points.txt")))
        said = files.read(next(one for one in names if one.endswith("METADATA"))).decode()
    modules = {f"hana/{one.name}" for one in (ROOT / "hana").glob("*.py")}
    assert {one for one in names if ".dist-info/" not in one} == modules
    assert b"hana = hana.cli:run" in entries
    needed = [line for line in said.splitlines() if line.startswith("Requires-Dist")]
    assert [one.split()[1].rstrip("<>=.0123456789") for one in needed] == ["requests"]


def test_it_stands_alone(wheel: Path, tmp_path: Path) -> None:
    """Also where the archive is installed: whatever is imported is seen."""
    with ZipFile(wheel) as files:
        files.extractall(tmp_path / "there")
    there = str(tmp_path / "there")
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUN, there], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    came, version, *_script = done.stdout.splitlines()
    place, *names = came.split()
    assert place.startswith(there)
    assert {"api", "records"} < ARCHIVES and not ARCHIVES.intersection(names)
    assert {"hana", "requests"} <= set(names)
    assert version == "0.1.0"
