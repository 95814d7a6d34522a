"""Score sheets (記入式): sheets of judged games, and the check of sheets.

`make_sheet` writes the payments of a judged game without the cards (S10). `check` checks a sheet
month by month, by the rules of the house (kafu.md §6, S1).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from kafu import cards
from kafu.judging.outcome import Outcome, make_fault
from kafu.notation.game import Game, Month, Payment
from kafu.notation.json_types import SheetGrade
from kafu.rules import codes
from kafu.rules.play.actions import Illegal
from kafu.rules.rulesets import find_ruleset
from kafu.rules.sheets.lines import MONTH
from kafu.rules.verdict import REPLAYED_ENDS, DealResult, End


def make_sheet(game: Game, deals: Sequence[DealResult], final: tuple[int, ...] | None) -> Game:
    """Return the score sheet of a game with the given results.

    ``final`` is in the small unit, None for a game without an end.
    """
    sheet = find_ruleset(game.rules).sheet(game.options, len(game.players))
    grades = list_grades(game, [(deal.grade, deal.end) for deal in deals])
    months = [
        Month(
            deal.month,
            deal.dealer,
            ba=grade,
            payments=[
                Payment(line.label, line.amounts, line.void)
                for line in deal.ledger
                if sheet.leaves_trace(line, deal.ledger)
            ],
            stone=deal.next_dealer if sheet.stones else None,
        )
        for deal, grade in zip(deals, grades, strict=True)
        if deal.end not in REPLAYED_ENDS
    ]
    return Game(
        game.rules,
        game.players,
        options=dict(game.options),
        tags={**game.tags, "Sheet": "1"},
        months=months,
        final=final,
    )


def list_grades(
    game: Game, deals: Iterable[tuple[SheetGrade | None, End]]
) -> list[SheetGrade | None]:
    """Return the grade of each deal, marked with 2 if the deal carries a grade on (H1, B2).

    ``deals`` are the grades and ends of the deals as judged.
    """
    sequence = find_ruleset(game.rules).grades
    carried = sequence.of[None] if sequence else None
    grades: list[SheetGrade | None] = []
    for month, (grade, end) in zip(game.months, deals, strict=False):
        if sequence and month.field is not None and end not in REPLAYED_ENDS:
            grade, carried = sequence.step(cards.mask(month.field), carried)
            grade = f"{grade}2" if sequence.name(carried) else grade
        grades.append(grade)
    return grades


class Settled(NamedTuple):
    """The settlement of a sheet in the small unit; None while the game is not over."""

    final: tuple[int, ...] | None = None


def check(game: Game) -> Outcome:
    """Check a sheet up to its end or first fault (`Outcome.fault`).

    Raise `Unsupported` for an unknown ruleset.
    """
    description = find_ruleset(game.rules)
    sheet = description.sheet(game.options, len(game.players))
    copy = replace(game, months=list(game.months))
    outcome = Outcome(copy, Settled())
    months = game.months
    number = 1
    try:
        for number, month in enumerate(months, start=1):
            following = months[number] if number < len(months) else None
            open_end = game.termination != "normal" and following is None
            result = sheet.enter(month, following, open_end=open_end)
            outcome.warnings += [
                make_fault(game, number, fault.code, (fault.where,), fault.values, fault.expected)
                for fault in sheet.remarks
            ]
            if result is None:
                break
            outcome.deals.append(result)
        if sheet.may_be_over:
            outcome.state = Settled(sheet.settle())
        else:
            outcome.stopped = True
            if game.termination == "normal":
                raise Illegal(codes.GAME_SHORT)
    except Illegal as illegal:
        where = (illegal.where or "month",)
        outcome.fault = make_fault(
            game, number, illegal.code, where, illegal.values, illegal.expected
        )
    is_doubtful = any(fault.code is codes.SHEET_DEALER for fault in outcome.warnings)
    is_summed = any(payment.label == MONTH for month in months for payment in month.payments)
    outcome.unknown = is_summed or is_doubtful
    return outcome
