"""`kafu filter` and `kafu dedupe`, parallel simulation, plug-ins, and missing extras."""

from __future__ import annotations

import pickle
import sys
from pathlib import Path

import pytest

import kafu
from archives.makers import zst
from cli.test_commands import ENV, GAMES, MALFORMED, run, wrong_score
from kafu.archives.frames import MODULE
from kafu.rules.rulesets import Unsupported, find_ruleset

pytestmark = pytest.mark.long

SHEET = kafu.sheet_of(kafu.simulate("hanaawase", seed=1))


@pytest.fixture
def games(tmp_path: Path) -> str:
    """Return the path of five games: two of koi-koi, a copy without a tag, a wrong one, a sheet."""
    tagged = kafu.read(kafu.write(GAMES[0]))
    tagged.tags["Event"] = "Club evening"
    tagged.players = ("Mai", "Ben")
    path = tmp_path / "games.kafu"
    texts = [kafu.write(tagged), kafu.write(GAMES[1]), kafu.write(SHEET), wrong_score()]
    path.write_text("\n".join(texts))
    return str(path)


@pytest.mark.parametrize(
    ("conditions", "lines"),
    [
        ([], 4),
        (["--rules", "koikoi"], 3),
        (["--rules", "koikoi", "--rules", "hanaawase"], 4),
        (["--status", "mismatch"], 1),
        (["--status", "verified", "--player", "BEN"], 3),
        (["--player", "Mai", "--player", "Ben"], 1),
        (["--player", "Nobody"], 0),
        (["--tag", "Event=Club evening"], 1),
        (["--tag", "Event="], 0),
    ],
)
def test_filter_prints_games_that_meet_all_conditions(
    games: str, conditions: list[str], lines: int
) -> None:
    out, err = run("filter", games, "--json", *conditions)
    assert (len(out.splitlines()), err) == (lines, "")


def test_filter_prints_canonical_games_and_reports_unreadable_ones(games: str) -> None:
    out, err = run("filter", games, "-", "--rules", "hanaawase", stdin=MALFORMED, status=1)
    assert out == kafu.write(SHEET)
    assert err.startswith("-:2:1: error: ")


@pytest.mark.parametrize(
    "condition", [["--tag", "Event"], ["--tag", "=x"], ["--status", "malformed"], ["--rules", "go"]]
)
def test_impossible_condition_is_wrong_usage(games: str, condition: list[str]) -> None:
    run("filter", games, *condition, status=2)


def test_dedupe_prints_the_first_form_of_each_deal(tmp_path: Path) -> None:
    """A game with a hidden hand or a date has another identity, but the same first deal."""
    hidden, dated = (kafu.read(kafu.write(GAMES[0])) for _ in range(2))
    hidden.months = hidden.months[:1]
    hidden.months[0].hands = {1: hidden.months[0].hands[1], 2: "????????"}
    dated.tags["Date"] = "2026-01-01"
    path = tmp_path / "games.kafu"
    games = [GAMES[0], GAMES[1], SHEET, hidden, dated, SHEET]
    path.write_text("\n".join(map(kafu.write, games)))
    out, err = run("dedupe", str(path))
    assert out == "\n".join(map(kafu.write, games[:3]))
    lines = [1 + "\n".join([*map(kafu.write, games[:i]), ""]).count("\n") for i in (0, 2)]
    earlier = [f"the game of {path}:{line}" for line in (lines[0], lines[0], lines[1])]
    assert [line.partition(": ")[2] for line in err.splitlines()] == earlier


def test_parallel_simulation_writes_the_same_games() -> None:
    arguments = ["simulate", "koikoi", "--option", "months=1", "--count", "70", "--seed", "5"]
    out, _ = run(*arguments)
    assert run(*arguments, "--jobs", "2")[0] == out
    assert len(run(*arguments, "--json")[0].splitlines()) == 70


def test_missing_extra_is_told_with_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.kafu.zst"
    path.write_bytes(zst(kafu.write(GAMES[0]).encode()))
    (tmp_path / "sitecustomize.py").write_text(f"import sys; sys.modules[{MODULE!r}] = None")
    monkeypatch.setitem(sys.modules, MODULE, None)
    python_path = f"{ENV['PYTHONPATH']}:{tmp_path}"
    out, err = run(
        "verify", str(path), "-", status=2, PYTHONPATH=python_path, stdin=kafu.write(GAMES[1])
    )
    assert out.startswith("verified")
    assert "pip install 'kafu[zstd]'" in err


PLUGIN = """
from dataclasses import replace
import kafu
from kafu.rules.rulesets import find_ruleset

class Importer:
    def recognises(self, log):
        return log.get("program") == "plug-in"
    def convert(self, log, warn):
        return kafu.simulate("koikoi", seed=log["seed"])

class TextImporter:
    def recognises(self, text):
        return text.startswith("plug-in ")
    def convert(self, text, warn, *, line):
        return kafu.simulate("koikoi", seed=int(text.split()[1]))

ruleset = replace(find_ruleset("hanaawase"), id="plugged")
json_importer, text_importer = Importer(), TextImporter()
"""
ENTRIES = """
[kafu.rulesets]
plugged = plugged:ruleset
broken = plugged:missing
[kafu.importers]
log = plugged:json_importer
[kafu.text_importers]
text = plugged:text_importer
"""


def test_command_line_finds_plug_ins_and_tells_broken_ones(tmp_path: Path) -> None:
    (tmp_path / "plugged.py").write_text(PLUGIN)
    info = tmp_path / "plugged-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plugged\nVersion: 1\n")
    (info / "entry_points.txt").write_text(ENTRIES)
    path = f"{ENV['PYTHONPATH']}:{tmp_path}"
    # Workers, too, load the plug-ins; --jobs makes `run` start a process.
    out, err = run("simulate", "plugged", "--count", "2", "--jobs", "2", PYTHONPATH=path)
    assert err.startswith("kafu: plug-in broken of kafu.rulesets: AttributeError")
    assert run("verify", "-", "--jobs", "2", stdin=out, PYTHONPATH=path)[0].count("verified") == 2
    log = '{"program": "plug-in", "seed": 3}'
    assert "koikoi" in run("verify", "-", "--jobs", "2", stdin=log, PYTHONPATH=path)[0]
    assert "koikoi" in run("verify", "-", "--jobs", "2", stdin="plug-in 3", PYTHONPATH=path)[0]


def test_rulesets_are_pickled_by_id() -> None:
    for ruleset in kafu.rulesets():
        assert pickle.loads(pickle.dumps(ruleset)) is ruleset
    with pytest.raises(Unsupported):
        find_ruleset("missing")
