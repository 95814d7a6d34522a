"""The cases in kafu/conformance cover all rules and the whole notation, legal and broken.

The required names come from the tables, so that nothing new can be forgotten.
"""

from __future__ import annotations

import re
import sys
from copy import copy
from pathlib import Path
from typing import Final

import pytest

from conformance import run
from conformance.run import HERE
from corpus import Case, cases_of, check_cases, library_cases
from kafu.judging.verify import verify
from kafu.notation.game import Game
from kafu.notation.reading.reader import Reading
from kafu.notation.vocabulary import RULES
from kafu.rules.codes import CODES
from kafu.rules.rulesets import find_ruleset
from kafu.rules.verdict import STATUSES, Verdict
from lengths import LONG
from occurring import due, occurred
from write_verdicts import expected_text

#: Codes that a record of one game cannot have, with the reason.
ELSEWHERE: Final = {
    **dict.fromkeys(
        (
            *("archive-truncated", "archive-damaged", "archive-encrypted", "archive-method"),
            *("archive-link", "archive-empty", "archive-too-deep", "archive-too-many-files"),
            *("archive-too-many-parts", "archive-too-costly"),
            *("archive-file-too-large", "archive-too-large", "archive-ratio", "archive-overlap"),
            *("archive-window", "archive-document", "archive-no-zstd", "passed-over"),
        ),
        "of an archive of files, which is no record",
    ),
    **dict.fromkeys(
        ("bytes-quota", "games-quota", "malformed-quota", "nothing-readable", "given-up"),
        "of an upload that is stopped",
    ),
    "too-costly": "of the archive, which measures the time",
    "tags-kept": "of the archive, which has the same game from another sender",
    "too-many-games": "of a file of very many games",
    "second-game": "a file is cut where its second game begins; only `kafu.read` refuses it",
    "game-too-large": "a file of more than 1 MiB is too large to keep here",
    **dict.fromkeys(
        (
            *("bad-foreign-log", "incomplete-foreign-log", "foreign-log-cut", "foreign-log-deal"),
            "foreign-log-skipped",
        ),
        "logs of other programs are no Kafu",
    ),
    **dict.fromkeys(
        ("no-card-name", "card-name-used", "card-names"),
        "of cards that are written by their names, which conformance cases never are",
    ),
    **{code: "of a table, not of a record" for code in CODES if code.startswith("notebook")},
    "unsupported": "of a ruleset without sheets, which is none of the five",
    "sheet-undecided": "an error of the engine, which no known sheet shows",
    "swap-too-late": "swap stands before bids and declarations in every text (T4)",
}
#: The places of a verdict's mismatches (docs/verdict.md).
CLAIMS: Final = {"score", "ba", "final", "result"}
#: Statuses of a record that breaks no rule.
LEGAL: Final = ("verified", "unfinished")
MOST_BYTES: Final = 1_500_000
DOCS: Final = Path(__file__).parents[2] / "docs"
#: A program that prints the expected verdict of any case.
KNOWS_ALL: Final = (
    "import pathlib, sys; path = pathlib.Path(sys.argv[1]).with_suffix('.json');"
    "print(path.read_text(encoding='utf-8').replace('\\n', ' '))"
)


def due_of_options(rules: str) -> set[str]:
    """Return every option with each of its words, or with a number, except defaults."""
    options = set()
    for name, values in RULES[rules].options.items():
        words = values.expected if set(values.expected) == values.known else ()
        anyway = rules if name == "profile" else find_ruleset(rules).defaults()[name]
        options |= {f"{name}={word}" for word in words if word != anyway} if words else {name}
    return options


def telling(game: Game, verdict: Verdict) -> set[str]:
    """Return the options of a game that change its verdict."""
    deciding = set()
    for name, value in game.options.items():
        variant = copy(game)
        variant.options = {key: word for key, word in game.options.items() if key != name}
        changed = verify(Reading(variant)).verdict
        if (changed.status, changed.deals, changed.final) != (
            verdict.status,
            verdict.deals,
            verdict.final,
        ):
            deciding |= {name, f"{name}={value}"}
    return deciding


def legal_games(rules: str) -> list[Game]:
    """Return the legal games of a ruleset that have cards."""
    return [
        case.game
        for case in cases_of(rules, library_cases())
        if case.expected["status"] in LEGAL and not case.is_sheet
    ]


def test_every_status_but_unsupported_has_a_case() -> None:
    """All readable games of the five rulesets are judged."""
    statuses = {case.expected["status"] for case in library_cases()}
    assert statuses == set(STATUSES) - {"unsupported"}


def test_every_code_has_a_case() -> None:
    codes = set()
    for case in library_cases():
        verdict = case.expected
        codes |= {fault["code"] for fault in (verdict["error"], *verdict["warnings"]) if fault}
    assert codes == set(CODES) - set(ELSEWHERE)


def test_every_kind_of_mismatch_has_a_case() -> None:
    claims = {claim["where"] for case in library_cases() for claim in case.expected["mismatches"]}
    assert claims == CLAIMS


@pytest.mark.parametrize("rules", sorted(RULES))
def test_everything_that_can_occur_does_in_a_legal_game(rules: str) -> None:
    occurrences: set[str] = set().union(*map(occurred, legal_games(rules)))
    assert due(rules) <= occurrences, due(rules) - occurrences


@pytest.mark.parametrize("rules", sorted(RULES))
def test_every_option_is_in_a_game_whose_verdict_it_changes(rules: str) -> None:
    """Each word of each option occurs, or some number.

    Comparing the verdict without the option takes long.
    """
    options: set[str] = set()
    records = [case for case in cases_of(rules, library_cases()) if not case.is_sheet]
    for game in (case.game for case in records if case.reading.game is not None):
        if LONG:
            options |= telling(game, verify(Reading(game)).verdict)
        else:
            options |= {*game.options, *(f"{name}={word}" for name, word in game.options.items())}
    assert due_of_options(rules) <= options, due_of_options(rules) - options


def check_sums(case: Case) -> None:
    """Check the sums of a verdict (C4).

    Lines sum to zero if other players pay, scores are sums of lines, and faults have a place.
    """
    verdict = case.expected
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


def test_expected_verdicts_add_up() -> None:
    check_cases(library_cases(), check_sums)


def test_each_case_names_a_reading_or_page_that_exists() -> None:
    """Each file also equals the output of `write_verdicts`."""
    pages = "".join(path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md"))
    anchors = set(re.findall(r'<a id="([^"]+)">', pages))

    def check_about(case: Case) -> None:
        about = case.expected["about"]
        number = re.match(r"([CKHBATS]\d+): |kafu\.md \d+: |In this game there are: ", about)
        assert number
        assert not number[1] or number[1] in anchors, about
        written = case.path.with_suffix(".json").read_text(encoding="utf-8")
        assert written == expected_text(case, case.expected)

    check_cases(library_cases(), check_about)


def test_base_of_each_edited_case_is_a_case() -> None:
    names = {f"{case.folder}/{case.path.stem}" for case in library_cases()}
    bases = {case.expected["base"] for case in library_cases() if "base" in case.expected}
    assert bases <= names


def test_corpus_is_small() -> None:
    assert sum(path.stat().st_size for path in HERE.rglob("*.*")) < MOST_BYTES


@pytest.mark.parametrize(
    ("program", "status", "message"),
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
def test_runner_reports_the_cases_that_differ(
    program: str,
    status: int,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    records = [HERE / "koikoi/month.kafu", HERE / "koikoi/card-twice.kafu"]
    monkeypatch.setattr(run, "cases", lambda: records)
    assert run.main([sys.executable, "-c", program]) == status
    assert message in capsys.readouterr().out


def test_runner_without_a_command_prints_its_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main([]) == 2
    assert "COMMAND" in capsys.readouterr().err
