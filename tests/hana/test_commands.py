"""`hana` against a running archive."""

from __future__ import annotations

import hashlib
import json
from copy import copy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from archives.makers import gz, zipped
from hana import files
from hana.cli import main
from hana.server import Server
from hana.state import Failed, UploadState
from hana.upload import progress, send
from kafu.notation.writer import write
from tests.conftest import Environment
from tests.hana.lossy import lossy
from tests.records.jobs.ledger import Ledger
from tests.records.makers import MALFORMED, joined, simulate_months, text

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
    assert "1 game: 1 verified" in out
    assert not list((tmp_path / "state" / "hana").iterdir()), "nothing is left to resume"
    assert main(["--server", address, "upload", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"{address}/uploads/")


def test_folder_is_uploaded_as_one_archive(address: str, folder: Path, capsys: Capture) -> None:
    assert main(["--server", address, "upload", "--wait", str(folder)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "1 game: 1 verified" in lines[0], "an archive goes alone"
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
        state = UploadState(way.address, [path], {})
        url = send(Server(way.address), file, path.name, state, {})
        assert way.broken >= 2, "parts became smaller until they arrived"
    (key,) = urlsplit(url).path.split("/")[-1:]
    rows = Ledger(archive_env).ask(
        "SELECT sha256 FROM records_uploadfile f JOIN records_upload u ON u.id = f.upload_id"
        f" WHERE u.key = '{key}'"
    )
    assert rows == [(hashlib.sha256(data).hexdigest(),)]


def test_interrupted_folder_is_resumed(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    for number in range(8):
        (folder / f"{number}.kafu").write_text(text(number))
    (folder / "old.gz").write_bytes(b"\x1f\x8bno archive at all")
    monkeypatch.setattr("hana.upload.PART", 2_000)
    send_once = Server.send_once
    offsets: list[int] = []
    breaks_at = 3

    def record(self: Server, method: str, path: str, **options: Any) -> Any:
        if method == "PATCH":
            if len(offsets) == breaks_at:
                raise KeyboardInterrupt
            offsets.append(int(options["headers"]["Upload-Offset"]))
        return send_once(self, method, path, **options)

    monkeypatch.setattr(Server, "send_once", record)
    command = ["--server", address, "upload", str(folder)]
    assert main(command) == 130
    assert offsets == [0, 0, 2_000], "the archive alone, then parts of the others"
    breaks_at = 1000
    assert main(command) == 0
    assert offsets[3] == 4_000, "neither the archive nor what has arrived is sent again"
    assert len(set(offsets[1:])) == len(offsets[1:])
    assert not list((tmp_path / "state" / "hana").iterdir())


def test_games_are_exported_by_query(
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
    assert [
        json.loads(line)["text"] for line in capsysbinary.readouterr().out.splitlines()
    ] == games
    assert main(["--server", address, "export", "--mine"]) == 2, "without a token"


def test_mirror_continues_at_the_last_cursor(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hana.export.BLOCK", 2)
    games, changes = tmp_path / "games.kafu", tmp_path / "changes.ndjson"
    mirrored: list[str] = []
    since = datetime.now(UTC).isoformat()
    for seeds in (range(31, 34), range(34, 36)):
        sent = [text(seed).replace("Aya", "Mirrored") for seed in seeds]
        games.write_bytes(joined(*sent))
        assert main(["--server", address, "upload", "--wait", str(games)]) == 0
        query = ["--format", "ndjson", f"changed_since={since}", "-o", str(changes)]
        assert main(["--server", address, "export", *query]) == 0
        lines = [json.loads(line) for line in changes.read_text().splitlines()]
        mirrored += [line["text"] for line in lines if "Mirrored" in line["text"]]
        assert mirrored[-len(sent) :] == sent
        since = lines[-1]["cursor"]
    assert len(mirrored) == 5
    assert main(["--server", address, "export", f"changed_since={since}"]) == 2, "not as Kafu"


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
        (["export", "-o", str(tmp_path / "a" / "b")], "No such file or directory"),
    ):
        assert main(["--server", address, *arguments]) == 2
        assert message in capsys.readouterr().err
    assert main(["--server", "gopher://x", "export"]) == 2


def test_removed_command_is_an_error_of_arguments(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["verify", "january.kafu"])
    assert "invalid choice: 'verify'" in capsys.readouterr().err


def test_progress_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    for is_terminal, output in ((False, ""), (True, "\rgames.zip  25%  0.5 of 2.0 MB\x1b[K\n")):
        monkeypatch.setattr("sys.stderr.isatty", lambda answer=is_terminal: answer, raising=False)
        with progress("games.zip", "MB") as show:
            show(0.5, 2.0)
        assert capsys.readouterr().err == output


def test_extensions_in_capitals_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "A.KAFU").write_text(text(1))
    (tmp_path / "b.Zip").write_bytes(b"PK\x05\x06")
    assert [file.path.name for file in files.find([str(tmp_path)])] == ["A.KAFU", "b.Zip"]


def test_unfinished_game_is_no_failure(address: str, tmp_path: Path, capsys: Capture) -> None:
    game = copy(simulate_months(1))
    game.months, game.final, game.result = game.months[:1], None, None
    game.tags = {**game.tags, "Termination": "unfinished"}
    path = tmp_path / "a.kafu"
    path.write_text(write(game))
    assert main(["--server", address, "upload", "--wait", str(path)]) == 0
    assert "1 unfinished" in capsys.readouterr().out
