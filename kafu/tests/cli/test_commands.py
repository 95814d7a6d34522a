"""`python -m kafu` as people and programs run it: output and exit status."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import termios
from collections.abc import Sequence
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import Any, Final

import pytest

import kafu
from archives.makers import encrypted, gz, tarred, zipped, zst
from kafu.cli.main import main
from kafu.cli.terminal import Ink, Progress
from lengths import LONG

pytestmark = pytest.mark.long

SOURCE: Final = Path(kafu.__file__).parents[1]
ENV: Final = {"PATH": os.environ["PATH"], "PYTHONPATH": str(SOURCE)}
GAMES: Final = [kafu.simulate("koikoi", seed=seed) for seed in (1, 2)]
TEXT: Final = "\n".join(map(kafu.write, GAMES))
MALFORMED: Final = '[Kafu "1"]\n[Rules "poker"]\n[Player1 "a"]\n[Player2 "b"]\n'


def wrong_score() -> str:
    game = kafu.simulate("koikoi", seed=1)
    game.months[0].score = (98, 0)
    return kafu.write(game)


def illegal() -> str:
    """Return the first game with its first card replaced by a card of the other seat."""
    dealer = GAMES[0].months[0].dealer
    return kafu.write(GAMES[0]).replace("\n1. ", f"\n1. {3 - dealer}:", 1)


def run(
    *arguments: str, stdin: str | bytes = "", status: int = 0, cwd: Path | None = None, **env: str
) -> tuple[str, str]:
    """Run the command line and check its exit status; return standard output and error.

    A subprocess is used for worker processes, and in the long tests.
    """
    data = stdin.encode() if isinstance(stdin, str) else stdin
    if LONG or "--jobs" in arguments:
        process = subprocess.run(
            [sys.executable, "-m", "kafu", *arguments],
            input=data,
            capture_output=True,
            env=ENV | env,
            cwd=cwd,
        )
        code, out, err = process.returncode, process.stdout.decode(), process.stderr.decode()
    else:
        code, out, err = run_here(arguments, data, cwd, **env)
    assert code == status, out + err
    return out, err


def run_here(
    arguments: Sequence[str], stdin: bytes, cwd: Path | None, **env: str
) -> tuple[Any, str, str]:
    """Run the command line in this process; return exit status, standard output and error."""
    out, err = (TextIOWrapper(BytesIO(), newline="", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
        patched.setattr(sys, "stdout", out)
        patched.setattr(sys, "stderr", err)
        for name, value in env.items():
            patched.setenv(name, value)
        if cwd is not None:
            patched.chdir(cwd)
        try:
            status: Any = main(arguments)
        except SystemExit as exit_:
            status = exit_.code
    texts = (stream.buffer.getvalue().decode() for stream in (out, err))
    return status, *texts


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.Kafu").write_text(TEXT)
    lines = "".join(json.dumps(kafu.to_json(game)) + "\n" for game in GAMES)
    (tmp_path / "a.ndjson").write_text(lines)
    (tmp_path / "notes.txt").write_text("no game")
    return tmp_path


# verify -------------------------------------------------------------------------------------------


def test_verify_prints_a_line_for_each_game_of_a_folder(folder: Path) -> None:
    out, err = run("verify", ".", cwd=folder)
    rows = [line.split()[:3] for line in out.splitlines()]
    second = len(kafu.write(GAMES[0]).splitlines()) + 2
    assert rows == [
        ["verified", "a.ndjson:1", "koikoi"],
        ["verified", "a.ndjson:2", "koikoi"],
        ["verified", "b/two.Kafu:1", "koikoi"],
        ["verified", f"b/two.Kafu:{second}", "koikoi"],
    ]
    assert err == ""


def test_verify_prints_verdicts_as_json(folder: Path) -> None:
    (folder / "c.kafu").write_text(f"{wrong_score()}\n{MALFORMED}\n{illegal()}")
    out, _ = run("verify", "--json", str(folder), status=1)
    verdicts = objects(out)
    assert [verdict["status"] for verdict in verdicts[4:]] == ["mismatch", "malformed", "illegal"]
    assert verdicts[5]["error"]["expected"][0] == "hachihachi"


def test_verify_prints_file_line_and_column_of_a_fault() -> None:
    out, _ = run("verify", "-", stdin=f"{illegal()}\n{MALFORMED}\n{wrong_score()}", status=1)
    bad, malformed, mismatch = out.splitlines()
    number = next(i for i, line in enumerate(illegal().splitlines(), 1) if line[:3] == "1. ")
    dealer = GAMES[0].months[0].dealer
    assert bad.startswith(f"illegal     -:{number}:6  koikoi        deal 1, turn 1: ")
    assert bad.endswith(f"(expected: {dealer})")
    assert "there is no ruleset “poker” (expected: hachihachi, koikoi, " in malformed
    assert "score, deal 1, player 1: 98 claimed" in mismatch
    japanese, _ = run("verify", "--lang=ja", "-", stdin=illegal(), status=1)
    assert "1番目の月, 1手目: " in japanese


def test_unreadable_path_stops_no_other_path(folder: Path) -> None:
    out, err = run("verify", "no", "b", "b\u0301", cwd=folder, status=2)
    assert len(out.splitlines()) == 2
    assert err.splitlines()[0] == "kafu: no: no such file or folder"
    (folder / "e").mkdir()
    _, err = run("check", "e", cwd=folder, status=2)
    assert err.startswith("kafu: e: no *.kafu, *.json, *.ndjson, *.jsonl, *.log, *.zip")
    assert err.endswith(", *.zst in it\n")


def test_verify_reads_packed_files_and_archives(tmp_path: Path) -> None:
    game = kafu.write(GAMES[0]).encode()
    files = {"games/a.kafu": game, "README.md": b"#"}
    packed = {
        **{"a.kafu.gz": gz(game), "a.kafu.zst": zst(game), "a.zip": zipped(files)},
        **{"a.tar": tarred(files), "a.tgz": gz(tarred(files)), "a.tar.zst": zst(tarred(files))},
    }
    for name, data in packed.items():
        (tmp_path / name).write_bytes(data)
    verdicts = objects(run("verify", "--json", str(tmp_path))[0])
    assert [verdict["status"] for verdict in verdicts] == ["verified"] * len(packed)


@pytest.mark.parametrize("jobs", [(), ("--jobs", "2")])
def test_faults_of_archives_are_verdicts_in_their_place(
    tmp_path: Path, jobs: tuple[str, ...]
) -> None:
    game = kafu.write(GAMES[0]).encode()
    files = {"a.kafu": TEXT.encode(), "i.zip": zipped({"c.kafu": game}), "secret": b"x"}
    (tmp_path / "z.zip").write_bytes(encrypted(files, "secret"))
    (tmp_path / "y.kafu.gz").write_bytes(gz(game)[:-1])
    out, _ = run("verify", "--json", *jobs, ".", cwd=tmp_path, status=1)
    assert [
        (verdict["source"], verdict["status"], verdict["error"] and verdict["error"]["code"])
        for verdict in objects(out)
    ] == [
        ("y.kafu.gz › y.kafu", "malformed", "archive-truncated"),
        ("z.zip › a.kafu", "verified", None),
        ("z.zip › a.kafu", "verified", None),
        ("z.zip › i.zip › c.kafu", "verified", None),
        ("z.zip › secret", "malformed", "archive-encrypted"),
    ]


def test_unreadable_file_stops_no_other_file_of_its_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_path = Path.open

    def refuse_first(path: Path, *arguments: Any) -> Any:
        if path.name == "a.ndjson":
            raise PermissionError(13, "Permission denied")
        return open_path(path, *arguments)

    monkeypatch.setattr(Path, "open", refuse_first)
    status, out, err = run_here(("verify", "--json", "."), b"", folder)
    assert (status, len(objects(out))) == (2, 2)
    assert "a.ndjson: Permission denied" in err


def test_empty_and_binary_input_is_malformed() -> None:
    out, _ = run("verify", "-", status=1)
    assert out.startswith("malformed   -:1:1  -             there is nothing to read here")
    out, _ = run("verify", "--json", "-", stdin=b"\x1f\x8b\x08\0\0\0\0", status=1)
    assert objects(out)[0]["error"]["code"] == "archive-truncated"
    out, _ = run("verify", "--json", "-", stdin=b"BZh91AY", status=1)
    assert objects(out)[0]["error"]["code"] == "compressed"


# fmt, hash, json, check ---------------------------------------------------------------------------


def test_fmt_prints_the_canonical_form() -> None:
    out, err = run("fmt", "-", stdin=TEXT.replace("\n", "\r\n"))
    assert (out, err) == (TEXT, "")
    assert objects(run("fmt", "--json", "-", stdin=TEXT)[0])[1]["text"] == kafu.write(GAMES[1])


@pytest.mark.parametrize(("lang", "name"), [("ja", "松に鶴"), ("en", "pine with crane")])
def test_fmt_prints_names_and_reads_them_back(lang: str, name: str) -> None:
    out, _ = run("fmt", "--names", lang, "-", stdin=TEXT)
    assert name in out
    assert run("fmt", "-", stdin=out) == (TEXT, "")


def test_hash_prints_identities() -> None:
    out, _ = run("hash", "-", stdin=TEXT)
    assert [line.split("  ")[0] for line in out.splitlines()] == list(map(kafu.identity, GAMES))
    assert out.splitlines()[0].endswith("  -:1")
    lines = objects(run("hash", "--json", "-", stdin=TEXT)[0])
    assert lines[0] == {"source": "-", "line": 1, "identity": kafu.identity(GAMES[0])}


def test_json_prints_games_that_fmt_reads_back() -> None:
    out, _ = run("json", "-", stdin=TEXT)
    assert objects(out) == [kafu.to_json(game) for game in GAMES]
    assert run("fmt", "-", stdin=out)[0] == TEXT


def test_check_prints_a_fault_with_a_caret() -> None:
    out, err = run("check", "-", stdin=f"{TEXT}\n{MALFORMED}", status=1)
    number = len(TEXT.splitlines()) + 3
    place, line, mark = err.splitlines()
    assert out == ""
    assert place.startswith(
        f"-:{number}:1: error: there is no ruleset “poker” (expected: hachihachi, "
    )
    assert (line, mark) == ('[Rules "poker"]', "^")
    out, err = run("check", "--json", "-", stdin=MALFORMED, status=1)
    assert err == ""
    (fault,) = objects(out)
    assert (fault["kind"], fault["code"], fault["line"]) == ("error", "unknown-rules", 2)
    assert run("check", "-", stdin=TEXT) == ("", "")


def test_check_succeeds_with_warnings() -> None:
    lower = TEXT.replace("\n1. ", "\n", 1)
    out, err = run("check", "-", stdin=lower)
    assert out == ""
    assert ": warning: " in err or err == ""
    _, err = run("check", "-", stdin=TEXT.replace("[Kafu", "［Kafu", 1))
    assert ": warning: " in err


def test_control_characters_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "x\x1b[31m\ny.kafu"
    path.write_bytes(MALFORMED.replace("poker", "po\x1b[2Jker").encode())
    for command in ("verify", "check"):
        out, err = run(command, str(path), status=1)
        assert "\x1b" not in out + err
        assert "x\\x1b[31m\\ny.kafu:" in out + err


# simulate, odds -----------------------------------------------------------------------------------


def test_convert_writes_the_sheets_of_notebooks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("月,親,Aya,Ben\n1,Aya,7,\n", encoding="cp932")
    assert main(["convert", str(tmp_path), "--rules", "koikoi", "--option", "months=6"]) == 0
    written = capsys.readouterr()
    assert written.out.count('[Options "months=6"]') == written.out.count('[Kafu "1"]') == 2
    assert f"{tmp_path / 'a.csv'}:1: warning: " in written.err


@pytest.mark.parametrize(
    ("text", "lang", "place", "message"),
    [
        ("月,Aya,Ben\n1,7,o5\n", "ja", "2:3", "「o5」は1月のBenの点数として読めません"),
        ("月,Aya,Ben\n1,7,0\n2,999999,0\n", "en", "3:2", "+999999 is no sum of a month here"),
    ],
)
def test_convert_writes_nothing_of_a_notebook_with_a_fault(
    text: str,
    lang: str,
    place: str,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "points.csv"
    path.write_text(text, encoding="utf-8")
    assert main(["convert", str(path), "--rules", "koikoi", "--lang", lang]) == 1
    written = capsys.readouterr()
    assert not written.out
    assert f"{path}:{place}: error: {message}" in written.err
    assert main(["convert", str(tmp_path / "none.csv"), "--rules", "koikoi"]) == 2


def test_simulated_games_are_verified() -> None:
    out, _ = run("simulate", "koikoi", "--count=2")
    assert out == TEXT
    assert run("simulate", "koikoi", "--seed=2")[0] == kafu.write(GAMES[1])
    lines, _ = run("simulate", "koikoi", "--count=2", "--json")
    assert objects(lines) == [kafu.to_json(game) for game in GAMES]
    run("verify", "-", stdin=lines)


def test_simulate_takes_seats_players_house_and_options() -> None:
    out, _ = run(
        *("simulate", "koikoi", "--house=koikoi-ai", "--option=months=1"),
        "--players=random,sensible",
    )
    assert '[Options "months=1 profile=koikoi-ai"]' in out
    out, _ = run("simulate", "hachihachi-bga", "--seats=4", "--players=random")
    assert '[Player4 "Daigo"]' in out
    run("verify", "-", stdin=out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("simulate", "poker"), "invalid choice"),
        (("simulate", "koikoi", "--seats=3"), "koikoi is for 2 players, not 3 (expected: 2)"),
        (("simulate", "koikoi", "--players=clever"), "(expected: random, sensible)"),
        (("simulate", "koikoi", "--players=random,random,random"), "3 strategies for 2 players"),
        (("simulate", "koikoi", "--house=none"), "koikoi: profile=none: expected one of koikoi, "),
        (("simulate", "hanaawase", "--house=none"), "hanaawase: no house 'none'; there are: none"),
        (("simulate", "koikoi", "--option=months"), "koikoi: months=: expected one of 1…48"),
        (("simulate", "koikoi", "--option=x=1"), "koikoi: no option 'x'; there are: profile, "),
        (
            ("simulate", "koikoi", "--option=months=1", "--option=months=2"),
            "months=2, but months=1 before",
        ),
        (("simulate", "koikoi", "--count=0"), "expected a whole number from 1 to 1000000000"),
        (("verify", "--jobs=999", "-"), "expected a whole number from 1 to 256"),
        (("verify",), "usage: kafu verify"),
        (("verify", "--color=red", "-"), "invalid choice"),
        (("odds", "poker"), "invalid choice"),
        ((), "usage: kafu"),
        (("dance",), "invalid choice"),
    ],
)
def test_wrong_usage_prints_a_message(arguments: tuple[str, ...], message: str) -> None:
    out, err = run(*arguments, status=2)
    assert out == ""
    assert message in err
    assert "Traceback" not in err


def test_odds_prints_counts_in_both_languages() -> None:
    out, _ = run("odds", "koikoi")
    assert out.startswith("koi-koi\n")
    assert "5,717,409" in out
    (data,) = objects(run("odds", "koikoi", "--json")[0])
    assert data["ruleset"] == "koikoi"


def test_odds_of_hands_are_a_matrix_and_those_of_grades_a_chain() -> None:
    lines = run("odds", "hachihachi")[0].splitlines()
    rows = [line.split() for line in lines if line.startswith("shisō  ")]
    assert rows[0] == ["shisō", "500", "-", "9", "8", "10", "1", "528"]
    assert rows[2][-2:] == ["73,629,072", "139,449"]
    zetsuba = next(line for line in lines if line.startswith("zetsuba"))
    assert zetsuba.split()[3:] == ["2.9521", "23.6702", "%", "23.6702", "%", "100.0000", "%"]
    assert lines[-1] == "A bond left after December (etsunen)  4.4059 %"
    last = run("odds", "hachihachi-bga")[0].splitlines()[-1]
    assert last.split()[:5] == ["zetsuba", "(absolute", "field)", "2.9823", "23.6702"]


def test_japanese_odds_are_aligned_by_width() -> None:
    lines = run("odds", "koikoi", "--lang=ja")[0].splitlines()
    assert lines[0] == "こいこい"
    row = next(line for line in lines if line.startswith("二三本喰付"))
    assert row.split() == ["二三本喰付", "63,360", "0.016791", "%", "1/5,955.63"]
    # An East Asian letter is two columns wide.
    wide = next(line for line in lines if line.startswith("手四 "))
    assert len(wide) - len(row) == len("三本喰")


#: Commands whose reader may close the pipe early.
PIPED = [
    ("verify", "--json", "-"),
    ("verify", "--jobs=2", "-"),
    ("fmt", "-"),
    ("json", "-"),
    ("simulate", "koikoi", "--count=1000000"),
]


# All commands -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command", ["", "verify", "fmt", "hash", "json", "check", "simulate", "odds"]
)
def test_help_has_examples_and_exit_status(command: str) -> None:
    out, _ = run(*command.split(), "--help")
    assert "examples:\n  kafu " in out
    assert "2  wrong usage" in out


def test_version_is_printed() -> None:
    assert run("--version")[0] == f"kafu {kafu.__version__}\n"


@pytest.mark.parametrize(
    "arguments", [("verify", "--jobs=2", "-"), ("fmt", "-")] if not LONG else PIPED, ids=" ".join
)
def test_closed_pipe_ends_the_command_silently(arguments: tuple[str, ...], tmp_path: Path) -> None:
    """`| head -1` ends the command without a message."""
    games = tmp_path / "games"
    games.write_text("\n".join([TEXT] * 50))
    with games.open("rb") as stdin:
        process = subprocess.Popen(
            [sys.executable, "-m", "kafu", *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENV,
        )
    with process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_worker_processes_end_with_a_killed_command(tmp_path: Path) -> None:
    games = tmp_path / "games"
    games.write_text("\n".join([TEXT] * 200))
    command = [sys.executable, "-m", "kafu", "verify", "--json", "--jobs", "2", str(games)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=ENV) as process:
        assert process.stdout
        assert process.stdout.readline()
        process.kill()
        # The pipe ends when the last process closes it.
        process.stdout.read()


def test_colour_is_printed_where_requested() -> None:
    run_plain, _ = run("verify", "-", stdin=TEXT)
    assert "\x1b" not in run_plain
    coloured, _ = run("verify", "--color=always", "-", stdin=TEXT, NO_COLOR="1")
    assert coloured.startswith("\x1b[32mverified\x1b[0m    -:1")


def on_terminal(*arguments: str, stdin: str, stdout: int | None = None) -> tuple[str, str]:
    """Run with standard error and output on a terminal, or output to ``stdout``; both texts."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    process = subprocess.Popen(
        [sys.executable, "-m", "kafu", *arguments],
        stdin=subprocess.PIPE,
        stdout=stdout or slave,
        stderr=slave,
        env=ENV | {"TERM": "xterm"},
    )
    os.close(slave)
    assert process.stdin
    process.stdin.write(stdin.encode())
    process.stdin.close()
    out = process.stdout.read().decode() if process.stdout else ""
    shown = b""
    while True:
        try:
            block = os.read(master, 4096)
        except OSError:  # the terminal's second end is closed
            break
        if not block:
            break
        shown += block
    os.close(master)
    if process.stdout:
        process.stdout.close()
    assert process.wait() == 0
    return out, shown.decode()


class Terminal(StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_colour_is_printed_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    _, shown = on_terminal("verify", "-", stdin=TEXT)
    assert shown.startswith("\x1b[32mverified\x1b[0m")
    monkeypatch.setenv("TERM", "xterm")
    assert Ink(Terminal(), "auto").coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Ink(Terminal(), "auto").coloured


def test_progress_is_shown_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the verdicts go elsewhere. Without tqdm a plain line counts."""
    out, shown = on_terminal("verify", "-", stdout=subprocess.PIPE, stdin=TEXT)
    assert len(out.splitlines()) == 2
    assert "games" in shown
    monkeypatch.setitem(sys.modules, "tqdm", None)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress(shown=True) as progress:
        progress.step()
    assert terminal.getvalue().startswith("\r1 games")


def test_unwritable_output_ends_the_command_without_a_traceback() -> None:
    """A full disk and a closed standard output give no traceback."""
    for command in (
        "exec %s -m kafu simulate koikoi --count 9 >/dev/full",
        "exec %s -m kafu odds koikoi >&-",
    ):
        process = subprocess.run(
            ["/bin/sh", "-c", command % sys.executable], stderr=subprocess.PIPE, env=ENV, text=True
        )
        assert process.returncode == 2
        assert "Traceback" not in process.stderr
    process = subprocess.run(
        ["/bin/sh", "-c", f"exec {sys.executable} -m kafu verify - <&-"],
        capture_output=True,
        env=ENV,
        text=True,
    )
    assert (process.returncode, process.stderr) == (2, "kafu: -: standard input is closed\n")
