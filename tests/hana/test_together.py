"""Many games in one request, on a server that takes them so; a folder that goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hana.cli import main
from hana.server import Server
from hana.verify import verify
from tests.records.makers import illegal, joined, text


class Answer:
    """What a server that verifies many games answers."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self.content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_lines_are_those_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of each file, wherever its games stand in the body."""
    one, two = tmp_path / "one.kafu", tmp_path / "two.kafu"
    one.write_bytes(b"; ours\n" + joined(text(1), text(2)))
    two.write_text(text(3))
    bodies: list[bytes] = []

    def ask(self: Server, method: str, path: str, **given: Any) -> Answer:
        assert given["headers"]["Accept"] == "application/x-ndjson"
        bodies.append(given["data"])
        lines = given["data"].decode().splitlines()
        places = [n for n, line in enumerate(lines, start=1) if line.startswith("[Kafu")]
        return Answer(
            [
                {"status": "illegal", "line": n, "error": {"line": n + 1}, "warnings": []}
                for n in places
            ]
        )

    monkeypatch.setattr(Server, "ask", ask)
    found = list(verify(Server("http://x.example"), [str(one), str(two)]))
    assert len(bodies) == 1
    for verdict in found:
        lines = Path(verdict["source"]).read_text().splitlines()
        assert lines[verdict["line"] - 1].startswith("[Kafu")
        assert verdict["error"]["line"] == verdict["line"] + 1
    assert [(Path(one["source"]).name, one["game"]) for one in found] == [
        ("one.kafu", 1),
        ("one.kafu", 2),
        ("two.kafu", 1),
    ]


def test_many_files(address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(20):
        (tmp_path / f"{number:02}.kafu").write_text(illegal(1) if number == 7 else text(number))
    assert main(["--server", address, "verify", str(tmp_path)]) == 1
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["status"] for one in found].count("verified") == 19
    assert found[7]["status"] == "illegal" and found[7]["source"].endswith("07.kafu")


def test_a_folder_that_broke_off_goes_on(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "club"
    folder.mkdir()
    for number in range(60):
        (folder / f"{number}.kafu").write_text(text(number))
    (folder / "old.gz").write_bytes(b"\x1f\x8bno archive at all")
    monkeypatch.setattr("hana.upload.PART", 20_000)
    real = Server.send_once
    sent: list[int] = []
    breaks_at = 3

    def watched(self: Server, method: str, path: str, **given: Any) -> Any:
        if method == "PATCH":
            if len(sent) == breaks_at:
                raise KeyboardInterrupt
            sent.append(int(given["headers"]["Upload-Offset"]))
        return real(self, method, path, **given)

    monkeypatch.setattr(Server, "send_once", watched)
    command = ["--server", address, "upload", str(folder)]
    assert main(command) == 130
    assert sent == [0, 0, 20_000], "the archive alone, then parts of the others"
    breaks_at = 1000
    assert main(command) == 0
    assert sent[3] == 40_000, "neither the archive nor what has arrived is sent again"
    assert len(set(sent[1:])) == len(sent[1:])
    assert not list((tmp_path / "state").iterdir())
