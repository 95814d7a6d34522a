"""Many games in one request; an interrupted folder is resumed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hana.cli import main
from hana.server import Server
from hana.verify import verify
from tests.records.makers import illegal, joined, text


class Response:
    """A response with verdicts of many games."""

    def __init__(self, lines: list[dict[str, Any]]) -> None:
        self.content = b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def test_lines_of_a_verdict_are_those_of_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "one.kafu", tmp_path / "two.kafu"
    first.write_bytes(b"; ours\n" + joined(text(1), text(2)))
    second.write_text(text(3))
    bodies: list[bytes] = []

    def send(self: Server, method: str, path: str, **options: Any) -> Response:
        assert options["headers"]["Accept"] == "application/x-ndjson"
        bodies.append(options["data"])
        lines = options["data"].decode().splitlines()
        places = [number for number, line in enumerate(lines, start=1) if line.startswith("[Kafu")]
        return Response(
            [
                {"status": "illegal", "line": number, "error": {"line": number + 1}, "warnings": []}
                for number in places
            ]
        )

    monkeypatch.setattr(Server, "send", send)
    verdicts = list(verify(Server("http://x.example"), [str(first), str(second)]))
    assert len(bodies) == 1
    for verdict in verdicts:
        lines = Path(verdict["source"]).read_text().splitlines()
        assert lines[verdict["line"] - 1].startswith("[Kafu")
        assert verdict["error"]["line"] == verdict["line"] + 1
    assert [(Path(verdict["source"]).name, verdict["game"]) for verdict in verdicts] == [
        ("one.kafu", 1),
        ("one.kafu", 2),
        ("two.kafu", 1),
    ]


def test_files_are_verified_in_their_order(
    address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(4):
        (tmp_path / f"{number}.kafu").write_text(illegal(1) if number == 2 else text(number))
    assert main(["--server", address, "verify", str(tmp_path)]) == 1
    verdicts = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [verdict["status"] for verdict in verdicts].count("verified") == 3
    assert verdicts[2]["status"] == "illegal" and verdicts[2]["source"].endswith("2.kafu")


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
    assert not list((tmp_path / "state").iterdir())
