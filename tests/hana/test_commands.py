"""`hana` against a running archive."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from hana.cli import main
from hana.errors import Failed
from hana.server import Server
from hana.upload import send
from tests.conftest import Environment
from tests.hana.lossy import lossy
from tests.records.archives.makers import gz, zipped
from tests.records.makers import MALFORMED, illegal, joined, text
from tests.records.work.ledger import Ledger

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Games in some files, an archive, and what is no game."""
    folder = tmp_path / "club"
    (folder / "2019").mkdir(parents=True)
    (folder / "a.kafu").write_text(text(1))
    (folder / "2019" / "b.kafu").write_bytes(joined(text(2), MALFORMED))
    (folder / "2019" / "old.zip").write_bytes(zipped({"c.kafu": text(3).encode()}))
    (folder / "notes.txt").write_text("not to be sent")
    (folder / ".hidden.kafu").write_text("not to be sent")
    return folder


def test_upload_one_file_and_wait(address: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "year.kafu"
    path.write_text(text(4))
    assert main(["--server", address, "upload", "--wait", str(path)]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"{address}/uploads/")
    assert "1 games: 1 verified" in said
    assert not list((tmp_path / "state").iterdir()), "nothing is left to remember"


def test_upload_a_folder(address: str, folder: Path, capsys: Capture) -> None:
    assert main(["--server", address, "upload", "--wait", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "1 games: 1 verified" in lines[0], "an archive goes alone"
    assert "3 games: 2 verified, 1 malformed" in lines[1], "the others go together"
    assert lines[2].startswith("  club.zip › club/2019/b.kafu:")
    assert "malformed: unknown ruleset poker" in lines[2]


def test_a_faulty_archive(address: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gz(text(1).encode())[:-9])
    assert main(["--server", address, "--lang", "ja", "upload", "--wait", str(path)]) == 1
    said = capsys.readouterr().out
    assert "0 games: 1 files faulty" in said
    assert "途中で切れています" in said


def test_upload_without_waiting(address: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "year.kafu"
    path.write_text(text(5))
    assert main(["--server", address, "upload", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{address}/uploads/")


def test_a_connection_that_breaks_over_and_over(
    address: str, archive_env: Environment, tmp_path: Path
) -> None:
    data = bytes(range(256)) * (10 << 12)
    path = tmp_path / "large.kafu"
    path.write_bytes(data)
    port = urlsplit(address).port or 0
    with lossy(port, 3 << 20) as way, path.open("rb") as file:
        url = send(Server(way.address), file, path.name)
        assert way.broken >= 3
    (key,) = urlsplit(url).path.split("/")[-1:]
    rows = Ledger(archive_env).ask(
        "SELECT sha256 FROM records_uploadfile f JOIN records_upload u ON u.id = f.upload_id"
        f" WHERE u.key = '{key}'"
    )
    assert rows == [(hashlib.sha256(data).hexdigest(),)]


def test_a_command_that_was_ended_goes_on(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.kafu"
    path.write_bytes(bytes(9 << 20))
    monkeypatch.setattr("hana.upload.PART", 4 << 20)
    with monkeypatch.context() as patched:
        real, count = Server.send_once, 0

        def ended(self: Server, method: str, path: str, **given: object) -> object:
            nonlocal count
            count += method == "PATCH"
            if count == 2:
                raise KeyboardInterrupt
            return real(self, method, path, **given)  # type: ignore[arg-type]

        patched.setattr(Server, "send_once", ended)
        assert main(["--server", address, "upload", str(path)]) == 130
    asked: list[str] = []
    real_once = Server.send_once

    def watched(self: Server, method: str, path: str, **given: object) -> object:
        asked.append(method)
        return real_once(self, method, path, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(Server, "send_once", watched)
    assert main(["--server", address, "upload", str(path)]) == 0
    assert asked.count("PATCH") == 2, "the first part had arrived"
    assert "POST" not in asked


def test_verify(address: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "some.kafu"
    path.write_bytes(b"; ours\n" + joined(text(1), illegal(2)))
    assert main(["--server", address, "verify", str(path)]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["status"], first["game"], first["line"]) == ("verified", 1, 1)
    assert (second["status"], second["game"]) == ("illegal", 2)
    whole = path.read_text().splitlines()
    assert whole[second["line"] - 1] == '[Kafu "1"]'
    assert second["error"]["line"] > second["line"]
    assert second["source"] == str(path)
    path.write_text(text(1))
    assert main(["--server", address, "verify", str(path)]) == 0


def test_verify_json(address: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "some.ndjson"
    path.write_text('{"kafu": "1"}\n{"kafu": "1", "rules": "poker"}\n{"a": \n')
    assert main(["--server", address, "verify", str(path)]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["status"] for one in found] == ["malformed"] * 3
    assert [one["error"]["line"] for one in found] == [1, 2, 3]


def test_export(
    address: str,
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games = [text(seed).replace("Aya", "Exported") for seed in (6, 7, 8)]
    path = tmp_path / "games.kafu"
    path.write_bytes(joined(*games))
    assert main(["--server", address, "upload", "--wait", str(path)]) == 0
    capsysbinary.readouterr()
    monkeypatch.setattr("hana.export.BLOCK", 2)
    arguments = ["--server", address, "export", "player=Exported", "sort=oldest"]
    assert main(arguments) == 0
    out = capsysbinary.readouterr().out.decode()
    assert sorted(out.split('[Kafu "1"]')) == sorted("\n".join([*games, ""]).split('[Kafu "1"]'))
    target = tmp_path / "out.kafu"
    assert main([*arguments, "-o", str(target)]) == 0
    assert target.read_text() == out
    assert main(["--server", address, "export", "color=red"]) == 2
    assert [path.name for path in tmp_path.glob("out.kafu*")] == ["out.kafu"]
    assert main([*arguments, "--format", "ndjson"]) == 0
    lines = capsysbinary.readouterr().out.splitlines()
    first, _second, last = map(json.loads, lines)
    assert main(["--server", address, "export", "--key", last["key"], "--key", first["key"]]) == 0
    assert capsysbinary.readouterr().out.decode() == f"{last['text']}\n{first['text']}\n"
    assert main(["--server", address, "export", "--key", "nosuchgame0"]) == 2
    assert main(["--server", address, "export", "--mine"]) == 2  # without a token


def test_an_export_that_was_broken_off_goes_on(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    path = tmp_path / "games.kafu"
    path.write_bytes(joined(*(text(seed).replace("Aya", "Broken") for seed in range(21, 26))))
    assert main(["--server", address, "upload", "--wait", str(path)]) == 0
    monkeypatch.setattr("hana.export.BLOCK", 2)
    arguments = ["--server", address, "export", "player=Broken", "--format", "csv"]
    whole, broken = tmp_path / "whole.csv", tmp_path / "broken.csv"
    assert main([*arguments, "-o", str(whole)]) == 0
    asked = Server.get
    count = 0

    def get(server: Server, path: str, **given: Any) -> Any:
        nonlocal count
        count += 1
        if count == 3:
            raise Failed("the line is dead")
        return asked(server, path, **given)

    monkeypatch.setattr(Server, "get", get)
    assert main([*arguments, "-o", str(broken)]) == 2
    assert not broken.exists()
    with (tmp_path / "broken.csv.part").open("ab") as file:
        file.write(b"half a li")  # written, not noted
    assert main([*arguments, "-o", str(broken)]) == 0
    assert count == 4  # two blocks were kept
    assert broken.read_bytes() == whole.read_bytes()
    assert sorted(one.name for one in tmp_path.glob("*.csv*")) == ["broken.csv", "whole.csv"]


def test_what_cannot_be_done(address: str, tmp_path: Path, capsys: Capture) -> None:
    for arguments, said in (
        (["upload", "nowhere"], "nowhere: no such file or folder"),
        (["upload", str(tmp_path)], "no *.kafu"),
        (["verify", "nowhere"], "no such file"),
        (["export", "-o", str(tmp_path / "a" / "b")], "No such file or directory"),
    ):
        assert main(["--server", address, *arguments]) == 2
        assert said in capsys.readouterr().err
    assert main(["--server", "gopher://x", "export"]) == 2
