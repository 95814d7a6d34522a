"""`manage.py kafu`."""

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from kafu.notation.reading.reader import read
from kafu.notation.writer import identity
from tests.records.makers import MALFORMED, joined, text


def kafu(
    capsys: pytest.CaptureFixture[str], action: str, *paths: Path, status: int = 0
) -> tuple[str, str]:
    """Run the command, check its exit status; standard output and error."""
    code = 0
    try:
        call_command("kafu", action, *map(str, paths))
    except SystemExit as end:
        code = int(end.code or 0)
    assert code == status
    out, err = capsys.readouterr()
    return out, err


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.kafu"
    path.write_bytes(joined(text(1), text(2)).replace(b"\n", b"\r\n"))
    return path


def test_fmt_prints_canonical_text(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kafu(capsys, "fmt", file) == (f"{text(1)}\n{text(2)}", "")


def test_hash_prints_identity_and_place(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = kafu(capsys, "hash", file)
    first, second = out.splitlines()
    game = read(text(1)).game
    assert game is not None
    assert first == f"{identity(game)}  {file}:1"
    assert second.endswith(f"  {file}:{len(text(1).splitlines()) + 2}")


def test_json_prints_one_object_a_line(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = kafu(capsys, "json", file)
    assert [json.loads(line)["rules"] for line in out.splitlines()] == ["koikoi", "koikoi"]


def test_check_reports_faults_with_a_caret(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.kafu"
    path.write_bytes(joined(text(1), MALFORMED))
    out, err = kafu(capsys, "check", path, status=1)
    line = len(text(1).splitlines()) + 3
    assert out == ""
    place, source, caret = err.splitlines()
    assert place.startswith(f"{path}:{line}:")
    assert ": error: " in place
    assert source == '[Rules "poker"]'
    assert caret.strip() == "^"


def test_missing_file_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = kafu(capsys, "check", tmp_path / "no.kafu", status=2)
    assert "no such file or folder" in err
