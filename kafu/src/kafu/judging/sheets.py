"""Check of score sheets (記入式), month by month, by the rules of the house (kafu.md §6, S1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from kafu.judging.places import place_fault
from kafu.judging.walk import Outcome
from kafu.notation.faults import Code, Fault
from kafu.notation.game import Game
from kafu.rules import codes, sheet_codes
from kafu.rules.play.actions import Illegal
from kafu.rules.rulesets import Unsupported, ruleset


class End(NamedTuple):
    """The settlement of a sheet in the small unit; None while the game is not over."""

    final: tuple[int, ...] | None = None


def check(game: Game) -> Outcome:
    """Check a sheet up to its end or first fault (`Outcome.fault`).

    Raises `Unsupported` for a ruleset without score sheets.
    """
    make = ruleset(game.rules).sheet
    if make is None:
        raise Unsupported(f"{game.rules} sheet")
    sheet = make(game.options, len(game.players))
    outcome = Outcome(replace(game, months=list(game.months)), End(), unit=sheet.unit)
    months = game.months
    number = 1
    try:
        for number, month in enumerate(months, start=1):
            following = months[number] if number < len(months) else None
            open_end = game.termination != "normal" and following is None
            result = sheet.enter(month, following, open_end=open_end)
            outcome.warnings += [
                _make_fault(game, number, remark.code, remark.where, remark.values, remark.expected)
                for remark in sheet.remarks
            ]
            if result is None:
                break
            outcome.deals.append(result)
        if sheet.may_be_over:
            outcome.state = End(sheet.settle())
        else:
            outcome.stopped = True
            if game.termination == "normal":
                raise Illegal(codes.GAME_SHORT)
    except Illegal as illegal:
        where = illegal.where or "month"
        outcome.fault = _make_fault(
            game, number, illegal.code, where, illegal.values, illegal.expected
        )
    is_doubtful = any(fault.code is sheet_codes.SHEET_DEALER for fault in outcome.warnings)
    outcome.unknown = sheet.summed or is_doubtful
    return outcome


def _make_fault(
    game: Game,
    number: int,
    code: Code,
    where: str,
    values: Mapping[str, Any],
    expected: tuple[str, ...],
) -> Fault:
    """Return a fault of month ``number`` at one of its statements."""
    fault = Fault(code, None, None, number, None, values, expected, (where,))
    return place_fault(fault, game)
