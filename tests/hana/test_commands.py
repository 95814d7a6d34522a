"""`hana` against a running archive."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from archives.makers import gz, zipped
from hana.cli import main
from hana.server import Server
from hana.state import Failed
from hana.upload import send
from tests.conftest import Environment
from tests.hana.lossy import lossy
from tests.records.jobs.ledger import Ledger
from tests.records.makers import MALFORMED, illegal, joined, text

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with files of games, an archive, and files to be left out."""
    folder = tmp_path / "club"
    (folder / "2019").mkdir(parents=True)
    (folder / "a.kafu").write_text(text(1))
    (folder / "2019" / "b.kafu").write_bytes(joined(text(2), MALFORMED))
    (folder / "2019" / "old.zip").write_bytes(zipped({"c.kafu": text(3).encode()}))
    (folder / "notes.txt").write_text("not to be sent")
    (folder / ".hidden.kafu").write_text("not to be sent")
    return folder


def test_uploaded_file_is_waited_for(address: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "year.kafu"
    path.write_text(text(4))
    assert main(["--server", address, "upload", "--wait", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{address}/uploads/")
    assert "1 games: 1 verified" in out
    assert not list((tmp_path / "state").iterdir()), "nothing is left to resume"
    assert main(["--server", address, "upload", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{address}/uploads/")


def test_folder_is_uploaded_as_one_archive(address: str, folder: Path, capsys: Capture) -> None:
    assert main(["--server", address, "upload", "--wait", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "1 games: 1 verified" in lines[0], "an archive goes alone"
    assert "3 games: 2 verified, 1 malformed" in lines[1], "the others go together"
    assert lines[2].startswith("  club.zip › club/2019/b.kafu:")
    assert "malformed: there is no ruleset “poker”" in lines[2]


def test_faulty_archive_is_reported_in_the_chosen_language(
    address: str, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "cut.gz"
    path.write_bytes(gz(text(1).encode())[:-9])
    assert main(["--server", address, "--lang", "ja", "upload", "--wait", str(path)]) == 1
    out = capsys.readouterr().out
    assert "0 games: 1 files faulty" in out
    assert "途中で切れています" in out


def test_upload_survives_broken_connections(
    address: str, archive_env: Environment, tmp_path: Path
) -> None:
    data = bytes(range(256)) * (4 << 12)
    path = tmp_path / "large.kafu"
    path.write_bytes(data)
    port = urlsplit(address).port or 0
    with lossy(port, 1 << 20) as way, path.open("rb") as file:
        url = send(Server(way.address), file, path.name)
        assert way.broken >= 2, "parts became smaller until they arrived"
    (key,) = urlsplit(url).path.split("/")[-1:]
    rows = Ledger(archive_env).ask(
        "SELECT sha256 FROM records_uploadfile f JOIN records_upload u ON u.id = f.upload_id"
        f" WHERE u.key = '{key}'"
    )
    assert rows == [(hashlib.sha256(data).hexdigest(),)]


def test_interrupted_upload_is_resumed(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.kafu"
    path.write_bytes(bytes(9 << 20))
    monkeypatch.setattr("hana.upload.PART", 4 << 20)
    with monkeypatch.context() as patched:
        send_once, count = Server.send_once, 0

        def interrupt(self: Server, method: str, path: str, **options: object) -> object:
            nonlocal count
            count += method == "PATCH"
            if count == 2:
                raise KeyboardInterrupt
            return send_once(self, method, path, **options)  # type: ignore[arg-type]

        patched.setattr(Server, "send_once", interrupt)
        assert main(["--server", address, "upload", str(path)]) == 130
    methods: list[str] = []

    def record(self: Server, method: str, path: str, **options: object) -> object:
        methods.append(method)
        return send_once(self, method, path, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Server, "send_once", record)
    assert main(["--server", address, "upload", str(path)]) == 0
    assert methods.count("PATCH") == 2, "the first part had arrived"
    assert "POST" not in methods


def test_verdicts_have_places_in_the_file(address: str, tmp_path: Path, capsys: Capture) -> None:
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


def test_ndjson_is_verified_line_by_line(address: str, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "some.ndjson"
    path.write_text('{"kafu": "1"}\n{"kafu": "1", "rules": "poker"}\n{"a": \n')
    assert main(["--server", address, "verify", str(path)]) == 1
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [verdict["status"] for verdict in verdicts] == ["malformed"] * 3
    assert [verdict["error"]["line"] for verdict in verdicts] == [1, 2, 3]


def test_games_are_exported_by_query_and_by_key(
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


def test_interrupted_export_is_resumed(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    path = tmp_path / "games.kafu"
    path.write_bytes(joined(*(text(seed).replace("Aya", "Broken") for seed in range(21, 26))))
    assert main(["--server", address, "upload", "--wait", str(path)]) == 0
    monkeypatch.setattr("hana.export.BLOCK", 2)
    arguments = ["--server", address, "export", "player=Broken", "--format", "csv"]
    whole, broken = tmp_path / "whole.csv", tmp_path / "broken.csv"
    assert main([*arguments, "-o", str(whole)]) == 0
    server_get = Server.get
    count = 0

    def get(server: Server, path: str, **options: Any) -> Any:
        nonlocal count
        count += 1
        if count == 3:
            raise Failed("the line is dead")
        return server_get(server, path, **options)

    monkeypatch.setattr(Server, "get", get)
    assert main([*arguments, "-o", str(broken)]) == 2
    assert not broken.exists()
    with (tmp_path / "broken.csv.part").open("ab") as file:
        file.write(b"half a li")  # written, but not recorded as done
    assert main([*arguments, "-o", str(broken)]) == 0
    assert count == 4  # two blocks were not requested again
    assert broken.read_bytes() == whole.read_bytes()
    assert sorted(file.name for file in tmp_path.glob("*.csv*")) == ["broken.csv", "whole.csv"]


def test_invalid_arguments_are_refused(address: str, tmp_path: Path, capsys: Capture) -> None:
    for arguments, message in (
        (["upload", "nowhere"], "nowhere: no such file or folder"),
        (["upload", str(tmp_path)], "no *.kafu"),
        (["verify", "nowhere"], "no such file"),
        (["export", "-o", str(tmp_path / "a" / "b")], "No such file or directory"),
    ):
        assert main(["--server", address, *arguments]) == 2
        assert message in capsys.readouterr().err
    assert main(["--server", "gopher://x", "export"]) == 2
