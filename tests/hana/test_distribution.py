"""The client as a distribution: built, unpacked, and run without the archive."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

from tests.conftest import ROOT

BUILD = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
#: Imports each module of the client, runs it, and prints the imported packages.
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
"""
#: Packages of the archive.
ARCHIVES = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"hana"} | {"kafu", "django"}


def build_wheel(folder: Path) -> Path:
    """Build the client as `pip install ./hana` does."""
    source = shutil.copytree(
        ROOT / "hana", folder / "source", ignore=shutil.ignore_patterns("__pycache__", "build")
    )
    subprocess.run(
        [sys.executable, "-c", BUILD, folder], cwd=source, check=True, capture_output=True
    )
    (path,) = folder.glob("*.whl")
    return path


def test_wheel_has_the_client_only_and_imports_nothing_of_the_archive(tmp_path: Path) -> None:
    """The archive is installed here: importing it would succeed and be noticed."""
    unpacked = str(tmp_path / "unpacked")
    with ZipFile(build_wheel(tmp_path)) as files:
        names = files.namelist()
        entries = files.read(next(name for name in names if name.endswith("entry_points.txt")))
        metadata = files.read(next(name for name in names if name.endswith("METADATA"))).decode()
        files.extractall(unpacked)
    modules = {f"hana/{path.name}" for path in (ROOT / "hana").glob("*.py")}
    assert {name for name in names if ".dist-info/" not in name} == modules
    assert b"hana = hana.cli:run" in entries
    requirements = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert [line.split()[1].rstrip("<>=.0123456789") for line in requirements] == ["requests"]
    result = subprocess.run(
        [sys.executable, "-I", "-c", RUN, unpacked], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    imported, version = result.stdout.splitlines()
    path, *names = imported.split()
    assert path.startswith(unpacked)
    assert {"api", "records"} < ARCHIVES and not ARCHIVES.intersection(names)
    assert {"hana", "requests"} <= set(names)
    assert version == "0.5.0"
