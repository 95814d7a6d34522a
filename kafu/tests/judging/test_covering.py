"""The cases in kafu/conformance cover all rules and the whole notation, legal and broken. What is
to be covered comes from the tables, so that nothing new can be forgotten.
"""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from conformance import run
from conformance.make import EDITED, text
from conformance.run import HERE, cases, comparable
from finding_cases import LEGAL, due_of_options, telling
from kafu.judging.verify import verify
from kafu.notation.reading.reader import Reading, read
from kafu.notation.vocabulary import RULES
from kafu.rules.codes import CODES
from kafu.rules.verdict import STATUSES
from occurring import due, occurred

#: Codes that no record of one game can have, and why.
ELSEWHERE: Final = {
    **dict.fromkeys(
        (
            *("archive-truncated", "archive-damaged", "archive-encrypted", "archive-method"),
            *("archive-link", "archive-empty", "archive-too-deep", "archive-too-many-files"),
            *("archive-file-too-large", "archive-too-large", "archive-ratio", "archive-overlap"),
            *("archive-window", "archive-document"),
        ),
        "of an archive of files, which the library does not unpack",
    ),
    **dict.fromkeys(
        ("bytes-quota", "games-quota", "malformed-quota", "nothing-readable", "given-up"),
        "of an upload that is stopped",
    ),
    "too-many-games": "of a file of very many games",
    "second-game": "a file is cut where its second game begins; only a caller can give both as one",
    "game-too-large": "a file of more than 1 MiB is too large to keep here",
    **dict.fromkeys(
        ("bad-foreign-log", "incomplete-foreign-log", "foreign-log-cut", "foreign-log-deal"),
        "logs of other programs are no Kafu",
    ),
    **dict.fromkeys(
        ("no-card-name", "card-name-used", "card-names"),
        "of cards that are written by their names, which conformance cases never are",
    ),
    "unsupported": "of a ruleset without sheets, which is none of the five",
    "swap-too-late": "swap stands before bids and declarations in every text (T4)",
}
#: What a verdict's mismatches can be of (docs/verdict.md).
CLAIMS: Final = {"score", "ba", "final", "result"}
MOST_BYTES: Final = 1_500_000
DOCS: Final = Path(__file__).parents[2] / "docs"
#: One that prints the verdict that is expected of any case.
KNOWS_ALL: Final = (
    "import pathlib, sys; path = pathlib.Path(sys.argv[1]).with_suffix('.json');"
    "print(path.read_text(encoding='utf-8').replace('\\n', ' '))"
)


@cache
def expected(record: Path) -> dict[str, Any]:
    """The verdict beside a record."""
    found: dict[str, Any] = json.loads(record.with_suffix(".json").read_text(encoding="utf-8"))
    return found


def of_rules(rules: str) -> list[Path]:
    """The records of a ruleset that have cards."""
    folder = [record for record in cases() if record.parent.name == rules]
    return [record for record in folder if "[Sheet" not in record.read_text(encoding="utf-8")]


def test_every_status() -> None:
    """But for ``unsupported``: all that can be read of the five rulesets is judged."""
    found = {expected(record)["status"] for record in cases()}
    assert found == set(STATUSES) - {"unsupported"}


def test_every_code() -> None:
    found = set()
    for record in cases():
        verdict = expected(record)
        found |= {fault["code"] for fault in (verdict["error"], *verdict["warnings"]) if fault}
    assert found == set(CODES) - set(ELSEWHERE)


def test_every_claim_is_wrong_somewhere() -> None:
    wrong = {one["where"] for record in cases() for one in expected(record)["mismatches"]}
    assert wrong == CLAIMS


@pytest.mark.parametrize("rules", sorted(RULES))
def test_everything_that_can_occur_does_in_legal_games(rules: str) -> None:
    found: set[str] = set()
    for record in of_rules(rules):
        if expected(record)["status"] in LEGAL:
            game = read(record.read_text(encoding="utf-8")).game
            assert game is not None
            found |= occurred(game)
    assert due(rules) <= found, due(rules) - found


@pytest.mark.parametrize("rules", sorted(RULES))
def test_every_option_changes_a_verdict(rules: str) -> None:
    """Each word of each option, or some number: without it the verdict would be another."""
    found: set[str] = set()
    for record in of_rules(rules):
        game = read(record.read_text(encoding="utf-8")).game
        assert game is not None
        found |= telling(game, verify(Reading(game)).verdict)
    assert due_of_options(rules) <= found, due_of_options(rules) - found


@pytest.mark.parametrize("record", cases(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_expected_verdicts_hold_together(record: Path) -> None:
    """Lines sum to zero where others pay, scores are sums of lines, and what is broken says where
    (C4).
    """
    verdict = expected(record)
    assert (verdict["error"] is not None) == (
        verdict["status"] in ("illegal", "malformed", "unsupported")
    )
    assert bool(verdict["mismatches"]) <= (verdict["status"] in ("mismatch", "illegal"))
    for deal in verdict["deals"]:
        paid = [line["amounts"] for line in deal["ledger"] if not line["void"]]
        assert deal["score"] == [sum(row) for row in zip(*paid, strict=True)] or not paid
        assert paid or not any(deal["score"])
        if verdict["rules"] != "koikoi":
            assert not any(map(sum, paid))
    if verdict["final"] and verdict["rules"] in ("hachihachi", "hachihachi-bga", "hanaawase"):
        assert sum(verdict["final"]) == 0


def test_each_case_says_what_it_is_about() -> None:
    """By the reading or page, which there is; each file is as `conformance.make` writes it."""
    pages = "".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    for record in cases():
        about = expected(record)["about"]
        number = re.match(r"([CKHBATS]\d+): |kafu\.md \d+: |In this game there are: ", about)
        assert number, record
        assert not number[1] or f'<a id="{number[1]}">' in pages, about
        there = record.with_suffix(".json").read_text(encoding="utf-8")
        assert there == text(about, comparable(expected(record))), record


def test_records_are_the_edits_that_they_are_said_to_be() -> None:
    for one in EDITED:
        assert one.record.read_bytes() == one.content(), one.name


def test_it_is_small() -> None:
    assert sum(path.stat().st_size for path in HERE.rglob("*.*")) < MOST_BYTES


@pytest.mark.parametrize(
    ("says", "status", "told"),
    [
        (KNOWS_ALL, 0, "2 cases, 0 not as expected"),
        (KNOWS_ALL.replace("'\\n', ' '", "'verified', 'illegal'"), 1, "no verdict"),
        ("print('nothing')", 1, "no verdict"),
        (
            KNOWS_ALL.replace("'\\n', ' '", "'\\n', ' ').replace('verified', 'illegal'"),
            1,
            'status: expected "verified", found "illegal"',
        ),
    ],
)
def test_the_runner_reports_differences(
    says: str,
    status: int,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few = [HERE / "koikoi/month.kafu", HERE / "koikoi/card-twice.kafu"]
    monkeypatch.setattr(run, "cases", lambda: few)
    assert run.main([sys.executable, "-c", says]) == status
    assert told in capsys.readouterr().out


def test_the_runner_wants_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([]) == 2
    assert "COMMAND" in capsys.readouterr().err
