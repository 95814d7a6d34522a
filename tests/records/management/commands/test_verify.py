"""No test here has a database: pytest-django would fail one that uses it."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from tests.conftest import ROOT, Hana, bare_env
from tests.records.archives.makers import encrypted, gz, zipped
from tests.records.makers import MALFORMED, illegal, joined, text, with_wrong_score


def verify(capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0) -> str:
    """Run the command, check its exit status; what it printed."""
    code = 0
    try:
        call_command("verify", *arguments)
    except SystemExit as end:
        code = int(end.code or 0)
    assert code == status
    return capsys.readouterr().out


def lines(out: str) -> list[dict[str, Any]]:
    """NDJSON as objects."""
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.kafu").write_bytes(joined(text(2), text(3)))
    (tmp_path / "a.kafu").write_text(text(1))
    (tmp_path / "notes.txt").write_text("no game")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "c.kafu").write_text("no game")
    return tmp_path


def test_verdicts_as_ndjson_in_order(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = lines(verify(capsys, str(folder)))
    assert [(v["source"], v["game"], v["status"]) for v in verdicts] == [
        (str(folder / "a.kafu"), 1, "verified"),
        (str(folder / "b" / "two.kafu"), 1, "verified"),
        (str(folder / "b" / "two.kafu"), 2, "verified"),
    ]
    assert " ".join(verdicts[0]) == (
        "source game line status rules identity error mismatches warnings deals final"
    )
    assert verdicts[2]["line"] > 1


def test_text_logs_of_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "one.kafu").write_text(text(1))
    (tmp_path / "watch.log").write_text("Watch Start: P1=A CPU=B rounds=12 no_sake=0\nFloor: 1\n")
    kafu, log = lines(verify(capsys, str(tmp_path), status=1))
    assert (kafu["status"], log["status"]) == ("verified", "malformed")
    assert (log["error"]["code"], log["error"]["line"]) == ("bad-foreign-log", 2)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_archives(tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str) -> None:
    inner = zipped({"c.kafu": text(3).encode()})
    files = {"a.kafu": joined(text(1), text(2)), "i.zip": inner, "secret": b"x"}
    (tmp_path / "z.zip").write_bytes(encrypted(files, "secret"))
    (tmp_path / "y.kafu.gz").write_bytes(gz(text(1).encode())[:-1])
    verdicts = lines(verify(capsys, "--jobs", jobs, str(tmp_path), status=1))
    told = [
        (v["source"].removeprefix(f"{tmp_path}/"), v["status"], v["error"] and v["error"]["code"])
        for v in verdicts
    ]
    assert told == [
        ("y.kafu.gz › y.kafu", "malformed", "archive-truncated"),
        ("z.zip › a.kafu", "verified", None),
        ("z.zip › a.kafu", "verified", None),
        ("z.zip › i.zip › c.kafu", "verified", None),
        ("z.zip › secret", "malformed", "archive-encrypted"),
    ]


def test_an_archive_from_standard_input(hana: Hana) -> None:
    data = zipped({"a.kafu": text(1).encode()})
    command = [sys.executable, "manage.py", "verify", "-"]
    done = subprocess.run(command, cwd=ROOT, input=data, capture_output=True, env=bare_env())
    assert done.returncode == 0, done.stderr
    assert [v["source"] for v in lines(done.stdout.decode())] == ["- › a.kafu"]


def test_status_1_when_a_game_is_not_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x.kafu").write_bytes(joined(text(1), MALFORMED, illegal(2), with_wrong_score(3)))
    verdicts = lines(verify(capsys, str(tmp_path), status=1))
    assert [v["status"] for v in verdicts] == ["verified", "malformed", "illegal", "mismatch"]
    assert verdicts[1]["error"]["message"]
    japanese = lines(verify(capsys, str(tmp_path), "--lang", "ja", status=1))
    assert japanese[1]["error"]["message"] != verdicts[1]["error"]["message"]


def test_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.kafu").write_bytes(joined(text(1), MALFORMED, with_wrong_score(3)))
    out = verify(capsys, str(tmp_path), "--format", "table", status=1).splitlines()
    assert [line.split()[0] for line in out] == ["verified", "malformed", "mismatch"]
    assert "x.kafu:1 " in out[0]
    assert "98 claimed" in out[2]


def test_what_cannot_be_read_is_named_and_the_rest_is_verified(
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


@pytest.mark.long
def test_several_processes_give_the_same_in_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [text(seed % 7) for seed in range(150)]
    games[70] = MALFORMED
    (tmp_path / "many.kafu").write_bytes(joined(*games))
    one = verify(capsys, str(tmp_path), status=1)
    two = verify(capsys, str(tmp_path), "--jobs", "2", status=1)
    assert one == two
    assert len(one.splitlines()) == 150


def test_from_standard_input_with_no_settings_at_all(hana: Hana) -> None:
    env = bare_env(HANA_ENV="production", DATABASE_URL="postgres://nobody@127.0.0.1:1/none")
    done = hana("verify", "-", env=env, stdin=text(1))
    assert lines(done.stdout)[0]["status"] == "verified"
    assert lines(done.stdout)[0]["source"] == "-"
    assert done.stderr == ""


def test_a_file_that_cannot_be_read_does_not_stop_the_others_of_its_folder(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Path.open

    def guarded(path: Path, *arguments: Any) -> Any:
        if path.name == "a.kafu":
            raise PermissionError(13, "Permission denied")
        return plain(path, *arguments)

    monkeypatch.setattr(Path, "open", guarded)
    out = verify(capsys, str(folder), status=2)
    assert [line["game"] for line in lines(out)] == [1, 2]


def test_paths_that_the_system_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify(capsys, "x" * 5000, status=2) == ""


def test_table_in_japanese_and_without_control_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "x\ny.kafu").write_bytes(joined(illegal(2), with_wrong_score(3)))
    out = verify(capsys, str(tmp_path), "--format", "table", "--lang", "ja", status=1)
    first, second = out.splitlines()
    assert "x\\ny.kafu:12:4 " in first
    assert "番目の月, " in first
    assert "記録は 98" in second


@pytest.mark.parametrize(
    "arguments", [["verify"], ["verify", "--jobs", "2"], ["kafu", "json"]], ids=" ".join
)
def test_a_reader_may_have_enough(tmp_path: Path, arguments: list[str]) -> None:
    """`| head -1`: no traceback."""
    path = tmp_path / "many.kafu"
    path.write_bytes(joined(*[text(seed % 3) for seed in range(60)]))
    command, *rest = arguments
    program = [sys.executable, "manage.py", command, *rest[: command == "kafu"], str(path)]
    done = subprocess.Popen(
        [*program, *rest[command == "kafu" :]],
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


@pytest.mark.long
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
def test_usage_errors_end_with_2(hana: Hana, arguments: list[str]) -> None:
    assert "usage" in hana("verify", *arguments, env=bare_env(), status=2).stderr
