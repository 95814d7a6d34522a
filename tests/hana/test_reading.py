"""`hana list`, `stats`, `report`, `completion`, and the address of the archive."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from copy import copy
from pathlib import Path

import pytest

from hana import files, progress
from hana.cli import main
from hana.progress import Bar
from hana.server import Server
from kafu.notation.writer import write
from tests.records.makers import MALFORMED, illegal, joined, simulate_months, text
from tests.services import free_port

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def filled(address: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Upload three games of `Listed` and a malformed one; return the page of the upload."""
    path = tmp_path_factory.mktemp("listed") / "games.kafu"
    path.write_bytes(
        joined(*(text(seed).replace("Aya", "Listed") for seed in (41, 42, 43)), MALFORMED)
    )
    server = Server(address)
    with path.open("rb") as file:
        response = server.send(
            "POST", "uploads", data=file.read(), headers={"Content-Type": "text/plain"}
        )
    upload = response.json()
    while server.get(upload["url"]).json()["state"] != "done":
        time.sleep(0.1)
    return str(upload["page"])


def make_unfinished() -> str:
    """Return a game of two months that ends after its first month."""
    game = copy(simulate_months(1))
    game.months, game.final, game.result = game.months[:1], None, None
    game.tags = {**game.tags, "Termination": "unfinished"}
    return write(game)


def test_games_are_listed_as_text_and_json(address: str, filled: str, capsys: Capture) -> None:
    assert main(["--server", address, "list", "player=Listed"]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 3
    assert all(line[3] == "verified" and "Listed" in line[4] for line in lines)
    assert main(["--server", address, "list", "player=Listed", "--json", "--most", "2"]) == 0
    games = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [game["key"] for game in games] == [line[0] for line in lines[:2]]
    assert main(["--server", address, "list", "color=red"]) == 2
    assert "color" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["--server", address, "list", "--most", "0"])


def test_figures_are_printed_as_table_and_csv(address: str, filled: str, capsys: Capture) -> None:
    assert main(["--server", address, "stats"]) == 0
    assert "ends        How months end\n" in capsys.readouterr().out
    arguments = ["--server", address, "stats", "ends", "ruleset=koikoi"]
    assert main(arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("How months end: n = ")
    assert "Share" in lines[1] and "95%" not in lines[1]
    assert any("%" in line for line in lines[2:])
    assert main([*arguments, "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("\ufeffend,name,count,")
    assert main(["--server", address, "stats", "ruleset=koikoi"]) == 2
    assert "expected a figure first" in capsys.readouterr().err


def test_report_is_printed_or_written(
    address: str, filled: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["--server", address, "report", filled]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["status"] for line in lines] == ["verified"] * 3 + ["malformed"]
    target = tmp_path / "report.csv"
    key = filled.rstrip("/").rpartition("/")[2]
    assert main(["--server", address, "report", key, "--format", "csv", "-o", str(target)]) == 0
    assert len(target.read_text().splitlines()) == 5
    assert main(["--server", address, "report", "nosuchupload"]) == 2


def test_colours_are_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert progress.status("illegal") == "illegal"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert progress.status("illegal") == "\x1b[31millegal\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert progress.status("illegal") == "illegal"


def test_progress_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    for is_terminal, output in (
        (False, ""),
        (True, "\rgames.zip [######                  ]  25%  0.5 of 2.0 MB"),
    ):
        monkeypatch.setattr("sys.stderr.isatty", lambda answer=is_terminal: answer, raising=False)
        with Bar("games.zip", 2_000_000) as bar:
            bar.last = 0.0
            bar.at(500_000)
        assert capsys.readouterr().err.strip("\n") == output


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_is_valid_in_its_shell(
    shell: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert "upload" in script and "visibility" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


def test_bash_completes_commands_and_options(capsys: Capture) -> None:
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    command = 'COMP_WORDS=(hana {}); COMP_CWORD={}; _hana; echo "${{COMPREPLY[*]}}"'
    for words, place, expected in (
        ("ver", 1, "verify"),
        ("upload --vis", 2, "--visibility"),
        ("--lang ja sta", 3, "stats"),
    ):
        result = subprocess.run(
            ["bash", "-c", f"{script}\n{command.format(words, place)}"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert result.stdout.strip() == expected


def test_archive_below_a_path_is_addressed() -> None:
    for address in ("https://example.org/hana/", "example.org/hana/api/v1/"):
        server = Server(address)
        assert server.address == "https://example.org/hana"
        assert server.url("names") == "https://example.org/hana/api/v1/names"
        assert server.url("/api/v1/names?x=1") == "https://example.org/hana/api/v1/names?x=1"
        assert server.url("https://example.org/hana/games/K/") == f"{server.address}/games/K/"
    assert Server("https://hana.example/api/v1").address == "https://hana.example"


def test_extensions_in_capitals_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "A.KAFU").write_text(text(1))
    (tmp_path / "b.Zip").write_bytes(b"PK\x05\x06")
    assert [file.path.name for file in files.find([str(tmp_path)])] == ["A.KAFU", "b.Zip"]


def test_unreachable_server_is_reported(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "a.kafu"
    path.write_text(text(1))
    address = f"http://127.0.0.1:{free_port()}"
    for command in ("upload", "verify"):
        assert main(["--server", address, command, str(path)]) == 2
        assert "cannot be reached" in capsys.readouterr().err


def test_unfinished_game_is_no_failure(address: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "a.kafu"
    path.write_text(make_unfinished())
    assert main(["--server", address, "verify", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "unfinished"
    assert main(["--server", address, "upload", "--wait", str(path)]) == 0
    assert "1 unfinished" in capsys.readouterr().out
    path.write_text(illegal(1))
    assert main(["--server", address, "verify", str(path)]) == 1
