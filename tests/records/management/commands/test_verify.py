"""No test here has a database: pytest-django would fail one that uses it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from archives.makers import encrypted, gz, zipped
from lengths import part
from records.management.commands.verify import Command
from tests.conftest import ROOT, bare_env
from tests.records.makers import MALFORMED, illegal, joined, text, with_wrong_score

pytestmark = pytest.mark.long


def verify(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """Run the command and check its exit status. Return its output."""
    code = 0
    try:
        call_command("verify", *arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    assert code == status
    return capsys.readouterr().out


def parse(out: str) -> list[dict[str, Any]]:
    """Parse NDJSON."""
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Games in a folder and a folder below, and files that are none."""
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.kafu").write_bytes(joined(text(2), text(3)))
    (tmp_path / "a.kafu").write_text(text(1))
    (tmp_path / "notes.txt").write_text("no game")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "c.kafu").write_text("no game")
    return tmp_path


def test_verdicts_are_ndjson_in_order_of_files(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    verdicts = parse(verify(capsys, str(folder)))
    assert [(v["source"], v["game"], v["status"]) for v in verdicts] == [
        (str(folder / "a.kafu"), 1, "verified"),
        (str(folder / "b" / "two.kafu"), 1, "verified"),
        (str(folder / "b" / "two.kafu"), 2, "verified"),
    ]
    assert " ".join(verdicts[0]) == (
        "source game line status rules identity error mismatches warnings deals final"
    )
    assert verdicts[2]["line"] > 1


def test_foreign_logs_of_a_folder_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.kafu").write_text(text(1))
    (tmp_path / "watch.log").write_text("Watch Start: P1=A CPU=B rounds=12 no_sake=0\nFloor: 1\n")
    kafu, log = parse(verify(capsys, str(tmp_path), status=1))
    assert (kafu["status"], log["status"]) == ("verified", "malformed")
    assert (log["error"]["code"], log["error"]["line"]) == ("bad-foreign-log", 2)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_archives_are_read_and_their_faults_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    inner = zipped({"c.kafu": text(3).encode()})
    files = {"a.kafu": joined(text(1), text(2)), "i.zip": inner, "secret": b"x"}
    (tmp_path / "z.zip").write_bytes(encrypted(files, "secret"))
    (tmp_path / "y.kafu.gz").write_bytes(gz(text(1).encode())[:-1])
    verdicts = parse(verify(capsys, "--jobs", jobs, str(tmp_path), status=1))
    results = [
        (v["source"].removeprefix(f"{tmp_path}/"), v["status"], v["error"] and v["error"]["code"])
        for v in verdicts
    ]
    assert results == [
        ("y.kafu.gz › y.kafu", "malformed", "archive-truncated"),
        ("z.zip › a.kafu", "verified", None),
        ("z.zip › a.kafu", "verified", None),
        ("z.zip › i.zip › c.kafu", "verified", None),
        ("z.zip › secret", "malformed", "archive-encrypted"),
    ]


def test_archive_of_standard_input_needs_no_settings() -> None:
    """Neither a key nor a database, whatever the environment says."""
    env = bare_env(HANA_ENV="production", DATABASE_URL="postgres://nobody@127.0.0.1:1/none")
    data = zipped({"a.kafu": text(1).encode()})
    command = [sys.executable, "manage.py", "verify", "-"]
    done = subprocess.run(command, cwd=ROOT, input=data, capture_output=True, env=env)
    assert (done.returncode, done.stderr) == (0, b"")
    [verdict] = parse(done.stdout.decode())
    assert (verdict["source"], verdict["status"]) == ("- › a.kafu", "verified")


def test_invalid_game_ends_with_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.kafu").write_bytes(joined(text(1), MALFORMED, illegal(2), with_wrong_score(3)))
    verdicts = parse(verify(capsys, str(tmp_path), status=1))
    assert [v["status"] for v in verdicts] == ["verified", "malformed", "illegal", "mismatch"]
    assert verdicts[1]["error"]["message"]
    japanese = parse(verify(capsys, str(tmp_path), "--lang", "ja", status=1))
    assert japanese[1]["error"]["message"] != verdicts[1]["error"]["message"]


def test_table_has_a_line_for_each_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.kafu").write_bytes(joined(text(1), MALFORMED, with_wrong_score(3)))
    out = verify(capsys, str(tmp_path), "--format", "table", status=1).splitlines()
    assert [line.split()[0] for line in out] == ["verified", "malformed", "mismatch"]
    assert "x.kafu:1 " in out[0]
    assert "98 claimed" in out[2]


def test_missing_path_is_named_and_other_files_are_verified(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(SystemExit) as end:
        call_command("verify", str(folder / "no"), str(folder / "empty"), str(folder / "a.kafu"))
    assert end.value.code == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert f"{folder / 'no'}: no such file or folder" in err
    assert f"{folder / 'empty'}: no *.kafu" in err


def test_several_processes_give_the_same_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [text(seed % 7) for seed in range(150)]
    games[70] = MALFORMED
    (tmp_path / "many.kafu").write_bytes(joined(*games))
    alone = verify(capsys, str(tmp_path), status=1)
    assert verify(capsys, str(tmp_path), "--jobs", "2", status=1) == alone
    assert len(alone.splitlines()) == 150


def test_unreadable_file_does_not_stop_other_files_of_its_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_path = Path.open

    def refuse_first(path: Path, *arguments: Any) -> Any:
        if path.name == "a.kafu":
            raise PermissionError(13, "Permission denied")
        return open_path(path, *arguments)

    monkeypatch.setattr(Path, "open", refuse_first)
    out = verify(capsys, str(folder), status=2)
    assert [line["game"] for line in parse(out)] == [1, 2]


def test_path_that_is_too_long_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(capsys, "x" * 5000, status=2) == ""


def test_japanese_table_has_no_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x\ny.kafu").write_bytes(joined(illegal(2), with_wrong_score(3)))
    out = verify(capsys, str(tmp_path), "--format", "table", "--lang", "ja", status=1)
    first, second = out.splitlines()
    assert "x\\ny.kafu:12:4 " in first
    assert "番目の月, " in first
    assert "記録は 98" in second


@pytest.mark.parametrize(
    "arguments",
    part([["verify", "--jobs", "2"], ["verify"], ["kafu", "json"]], one_of=2),
    ids=" ".join,
)
def test_closed_output_ends_the_command_without_traceback(
    tmp_path: Path, arguments: list[str]
) -> None:
    """`| head -1`."""
    path = tmp_path / "many.kafu"
    path.write_bytes(joined(*[text(seed % 3) for seed in range(60)]))
    done = subprocess.Popen(
        [sys.executable, "manage.py", *arguments, str(path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=bare_env(),
    )
    assert done.stdout
    assert done.stderr
    done.stdout.readline()
    done.stdout.close()
    assert done.stderr.read() == b""
    assert done.wait(60) == 0
    done.stderr.close()


def test_worker_processes_end_with_a_killed_command() -> None:
    done = subprocess.Popen(
        [sys.executable, "manage.py", "verify", "-", "--jobs", "2"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=bare_env(),
    )
    with done:
        assert done.stdin
        assert done.stdout
        done.stdin.write(joined(*[text(seed % 3) for seed in range(200)]))
        done.stdin.flush()
        assert done.stdout.readline()
        done.kill()
        # The end of the pipe comes when nobody holds it any more.
        done.stdout.read()


@pytest.mark.parametrize("arguments", [[], ["--jobs", "0", "x"], ["--format", "xml", "x"]])
def test_invalid_arguments_end_with_status_2(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        Command().run_from_argv(["manage.py", "verify", *arguments])
    assert end.value.code == 2
    assert "usage" in capsys.readouterr().err
