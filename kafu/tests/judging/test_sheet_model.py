"""An independent model of the documents agrees on which months of score sheets 48 cards make."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Final

import pytest

import kafu
from corpus import Case, all_cases
from kafu.notation.vocabulary import RULES
from lengths import LONG
from shared import shared

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("solver")]

#: Seeds and months each: 3,000 months a ruleset in `make test-long`.
SEEDS: Final = range(60 if LONG else 1)
MONTHS: Final = 50 if LONG else 1
#: Faults of a line's form, or between months, about which the model says nothing.
FORM: Final = frozenset(
    {
        *("sheet-stone-missing", "sheet-stone-of-shiso", "sheet-stone-wrong", "sheet-next-dealer"),
        *("dealer-not-due", "sheet-month-alone", "game-over", "sheet-month-sum", "sheet-season"),
    }
)


@pytest.fixture(scope="module")
def solver() -> None:
    """Skip the tests for the newest versions of Python, for which the solver has no wheels."""
    pytest.importorskip("ortools.sat.python.cp_model")


# The model is imported by its tests, because its solver takes each worker half a second.


def months(rules: str, seed: int) -> Iterator[kafu.Game]:
    """Yield right months of simulated games."""
    from sheet_model.months import right_months

    return islice(right_months(rules, seed), MONTHS)


def fault_of(game: kafu.Game) -> str | None:
    """Return the code of the judge's fault in the first month, None if it is accepted."""
    error = kafu.verify(game).error
    return None if error is None or error.deal != 1 else error.code.id


def first_impossible(game: kafu.Game) -> int | None:
    """Return the number of the first month that no cards make."""
    from sheet_model import games

    return games.first_impossible(game)


def is_impossible(game: kafu.Game) -> bool:
    """Return whether no cards make the first month."""
    return first_impossible(replace(game, months=game.months[:1])) is not None


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", sorted(RULES))
def test_month_of_a_simulated_game_is_possible(rules: str, seed: int) -> None:
    impossible = [kafu.write(game) for game in months(rules, seed) if is_impossible(game)]
    assert not impossible, "\n".join(impossible)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("rules", sorted(RULES))
def test_altered_month_is_accepted_if_the_model_finds_cards(rules: str, seed: int) -> None:
    from sheet_model.months import alter

    random = Random(seed)
    games = [alter(game, random) for game in months(rules, seed)]
    faults = [(game, fault_of(game)) for game in games]
    different = [
        kafu.write(game)
        for game, fault in faults
        if fault not in FORM and (fault is None) == is_impossible(game)
    ]
    assert not different, "\n".join(different)


#: Months of three players, player 1 dealing, that no cards make, with the reason.
IMPOSSIBLE: Final = {
    "captured cards are an even number, and 7 points are no such number": (
        "hachihachi",
        ["ba small", "pay points 1 +70 2 +11 3 -81"],
    ),
    "a three of the hand is captured by its player at least in part": (
        "hachihachi",
        ["ba small", "pay sanbon 1 +4k 2 -2k 3 -2k", "pay points 1 -88 2 +40 3 +48"],
    ),
    "四三 is an ordinary yaku, and 88 points each are 総八": (
        "hachihachi-bga",
        ["ba small", "pay shiso 1 -20k 2 +40k 3 -20k"],
    ),
    "seven ribbons are of seven months: 14 cards, never 56 points without カス": (
        "hanaawase",
        ["pay nanatan 1 +80 2 -40 3 -40", "pay points 1 -32 2 +22 3 +10"],
    ),
    "雨ゾロ is for ビキ alone": (
        "ten-five-one",
        ["pay amezoro 1 +40 2 -20 3 -20", "pay points 1 +20 2 -10 3 -10"],
    ),
}


@pytest.mark.parametrize(("rules", "lines"), IMPOSSIBLE.values(), ids=IMPOSSIBLE)
def test_month_that_no_cards_make_is_impossible(rules: str, lines: list[str]) -> None:
    head = ['[Kafu "1"]', f'[Rules "{rules}"]']
    head += [f'[Player{seat} "{name}"]' for seat, name in enumerate(("Aya", "Ben", "Chie"), 1)]
    head += ['[Sheet "1"]', '[Termination "unfinished"]', "", "month 1 dealer 1"]
    assert first_impossible(kafu.read("\n".join([*head, *lines, ""]))) == 1


def sheets() -> list[Case]:
    """Return the score sheets of both conformance suites that are modelled."""
    return [case for case in all_cases() if case.is_sheet]


@pytest.mark.long_only  # `test_conformance.py` has these verdicts of the judge
@pytest.mark.parametrize("rules", sorted(RULES))
def test_sheet_of_conformance_is_possible_unless_it_is_illegal(rules: str) -> None:
    """The model finds no cards for the month that the judge finds illegal, and for no other."""
    different = []
    for case in (case for case in sheets() if case.folder == rules):
        error = case.verification.verdict.error
        if error is not None and error.code.id in FORM:
            continue
        fault, impossible = error and error.deal, first_impossible(case.game)
        if impossible != fault:
            different.append(f"{case}: fault in {fault}, impossible {impossible}")
    assert not different, "\n".join(different)


@pytest.mark.long_only  # no code of the library decides about these months here
@pytest.mark.parametrize("rules", sorted(RULES))
def test_month_that_a_review_found_impossible_is_impossible(rules: str) -> None:
    """The months of ``cases/fresh-rules`` and ``cases/sheets``, most of which the judge accepts."""
    different = []
    paths = [
        path
        for folder in ("cases/fresh-rules", "cases/sheets")
        for path in sorted(shared(folder).glob("*.kafu"))
    ]
    for path in paths:
        text = path.read_text(encoding="utf-8")
        if "[Sheet " in text and f'[Rules "{rules}"]' in text:
            illegal = '"illegal"' in path.with_suffix(".json").read_text(encoding="utf-8")
            if (first_impossible(kafu.read(text)) is not None) != illegal:
                different.append(path.stem)
    assert not different
