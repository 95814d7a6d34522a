"""The analysis of a game as JSON: what is kept, and what the API and the command line show.

`kafu.analysis.json_types` has the shape. ``better`` is as of `search.Valued`, and so is ``chance``,
how much likelier the seat wins the game with the rival; that of an option is its chance to win.
``loss`` is ``better`` where it is more than two standard errors, else 0: what may well be chance is
no loss. A choice that cannot be analysed has a ``reason`` and no options. Forced ones are only
counted. The account of a deal is as of `account.Account`; where it is not measured, ``result`` and
``parts`` are None. docs/analysis.md says what the values mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import sqrt
from typing import Any, Final, NamedTuple

from kafu.analysis.account import Account, of_deal
from kafu.analysis.game import Point, analyse, effort_of, move, points
from kafu.analysis.luck import PLAYOUTS, Amounts
from kafu.analysis.marking import costly
from kafu.analysis.search import Effort, Measure, Valued
from kafu.notation.game import Game

#: The version of all that decides what comes out, from the policy to the marks.
VERSION: Final = "3"
#: One choice of a game.
Choice = dict[str, Any]
#: What a deal brought, part by part.
Dealt = dict[str, Any]
#: The parts of a result, and what is left over.
PARTS: Final = ("start", "deal", "stock", "own", "others", "rest")
_DIGITS: Final = 3
#: Standard errors that make a loss.
CLEAR: Final = 2


class _Measured(NamedTuple):
    better: float
    error: float
    deals: int
    exact: bool
    sought: bool


def size(game: Game) -> int:
    """How many choices of a game are analysed, or have a reason why not. Raises `Unsupported`."""
    return sum(not _is_forced(point) for point in points(game))


def choices(
    game: Game, *, seed: int = 0, effort: Effort | None = None, after: int = 0
) -> Iterator[Choice]:
    """The choices of a game but the first ``after`` ones, each when it is analysed. Whatever
    ``after`` is, a choice comes out the same. Raises `Unsupported`.
    """
    wanted = (point for point in points(game) if not _is_forced(point))
    for point, valued in analyse(game, islice(wanted, after, None), seed=seed, effort=effort):
        yield _choice(point, valued)


def account(game: Game, number: int, *, seed: int = 0, playouts: int = PLAYOUTS) -> Dealt:
    """What a deal brought, by its number from 1 (`kafu.analysis.account`). Raises `Unsupported`."""
    found = of_deal(game, number, seed=seed, playouts=playouts)
    return {
        "deal": number,
        "result": list(found.result) if found else None,
        "parts": _parts(found) if found else None,
        "course": [
            {**_rounded(one.amounts), "step": one.step} for one in (found.course if found else ())
        ],
    }


def _parts(found: Account) -> dict[str, dict[str, list[float]]]:
    return {name: _rounded(getattr(found, name)) for name in PARTS}


def _rounded(amounts: Amounts) -> dict[str, list[float]]:
    sums = zip(Amounts._fields, amounts, strict=True)
    return {name: [round(one, _DIGITS) for one in own] for name, own in sums}


def report(
    game: Game,
    found: Sequence[Choice],
    deals: Sequence[Dealt] = (),
    effort: Effort | None = None,
) -> dict[str, Any]:
    """The whole analysis: the choices, with those marked that were costly; the deals that are
    given; and a summary a seat: how many choices were analysed, forced and costly, what they lost
    together, with its error, and the parts of the results of all deals that were measured.
    """
    effort = effort or effort_of(game.rules)
    analysed = [choice for choice in found if not choice["reason"]]
    marks = costly([_Measured(*(one[name] for name in _Measured._fields)) for one in analysed])
    costs = {id(choice): mark for choice, mark in zip(analysed, marks, strict=True)}
    forced = [0] * len(game.players)
    for point in points(game):
        forced[point.seat - 1] += _is_forced(point)
    return {
        "rules": game.rules,
        "effort": {"error": effort.error, "most": effort.most, "games": effort.games},
        "choices": [choice | {"costly": costs.get(id(choice), False)} for choice in found],
        "seats": [
            _seat([one for one in analysed if one["seat"] == seat], costs, count)
            | _sums([one for one in deals if one["parts"]], seat)
            for seat, count in enumerate(forced, 1)
        ],
        "deals": list(deals),
    }


def _is_forced(point: Point) -> bool:
    return point.forced and not point.reason


def _seat(own: Sequence[Choice], costs: dict[int, bool], forced: int) -> dict[str, Any]:
    lost = [choice for choice in own if choice["loss"]]
    return {
        "analysed": len(own),
        "forced": forced,
        "costly": sum(costs[id(choice)] for choice in own),
        "loss": round(sum((choice["loss"] for choice in lost), 0.0), _DIGITS),
        "error": round(sqrt(sum(choice["error"] ** 2 for choice in lost)), _DIGITS),
    }


def _sums(measured: Sequence[Dealt], seat: int) -> dict[str, Any]:
    """The result of a seat in measured deals, and its parts."""
    parts = {}
    for name in PARTS:
        every = [deal["parts"][name] for deal in measured]
        parts[name] = {
            "value": round(sum((one["value"][seat - 1] for one in every), 0.0), _DIGITS),
            "error": round(sqrt(sum(one["error"][seat - 1] ** 2 for one in every)), _DIGITS),
        }
    return {"result": sum(deal["result"][seat - 1] for deal in measured), "parts": parts}


def _choice(point: Point, valued: Valued | None) -> Choice:
    found: Choice = {
        "deal": point.deal,
        "step": point.step,
        "turn": point.turn,
        "seat": point.seat,
        "kind": point.kind,
        "played": move(point.actions[point.played]),
        "options": [],
        "rival": "",
        "better": 0.0,
        "error": 0.0,
        "deals": 0,
        "exact": False,
        "sought": False,
        "loss": 0.0,
        "chance": _chance(Measure(0.0, 0.0)),
        "costly": False,
        "reason": point.reason,
    }
    if valued is None:
        return found
    better = round(valued.better, _DIGITS)
    return found | {
        "options": [
            {
                "move": move(one.action),
                "mean": round(one.mean, _DIGITS),
                "error": round(one.error, _DIGITS),
                "deals": one.deals,
                "chance": _chance(one.chance),
            }
            for one in valued.options
        ],
        "rival": move(valued.options[valued.rival].action),
        "better": better,
        "error": round(valued.error, _DIGITS),
        "deals": valued.deals,
        "exact": valued.exact,
        "sought": valued.sought,
        "loss": better if valued.sought and better > CLEAR * valued.error else 0.0,
        "chance": _chance(valued.chance),
    }


def _chance(measure: Measure) -> dict[str, float]:
    return {"value": round(measure.mean, _DIGITS), "error": round(measure.error, _DIGITS)}
