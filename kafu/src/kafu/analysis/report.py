"""The analysis of a game as JSON: what is kept, and what the API and the command line show.

Numbers are in the small unit, rounded to thousandths. A choice is::

    {"deal": 1, "step": 4, "turn": 2, "seat": 2, "kind": "hand", "played": "AxC",
     "options": [{"move": "AxC", "mean": 1.25, "error": 0.2, "deals": 160}, …],
     "rival": "IxJ", "better": 0.7, "error": 0.3, "deals": 128, "exact": false, "sought": true,
     "loss": 0.7, "costly": false, "reason": ""}

``better`` is as of `search.Valued`; ``loss`` is that where it is more than two standard errors,
else 0: what may well be chance is no loss. A choice that cannot be analysed has a ``reason`` and no
options. Forced ones are only counted. ``luck`` is a list of ``{"deal": [1.2, -1.2], "stock": …}``,
an item a deal. docs/analysis.md says what the values mean.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import sqrt
from typing import Any, Final, NamedTuple

from kafu.analysis.game import Point, analyse, effort_of, move, points
from kafu.analysis.luck import PLAYOUTS, Luck, of_deal
from kafu.analysis.marking import costly
from kafu.analysis.search import Effort, Valued
from kafu.notation.game import Game

#: The version of all that decides what comes out, from the policy to the marks.
VERSION: Final = "1"
#: One choice of a game.
Choice = dict[str, Any]
#: The luck of a deal.
Fortune = dict[str, list[float] | None]
_DIGITS: Final = 3
#: Standard errors that make a loss.
CLEAR: Final = 2


class _Measured(NamedTuple):
    better: float
    error: float
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


def luck(game: Game, number: int, *, seed: int = 0, playouts: int = PLAYOUTS) -> Fortune:
    """The luck of a deal, by its number from 1, a list a seat: of the cards dealt and of the stock;
    None for both where it is not measured (`kafu.analysis.luck`). Raises `Unsupported`.
    """
    found = of_deal(game, number, seed=seed, playouts=playouts)
    sums = found or (None, None)
    kinds = zip(Luck._fields, sums, strict=True)
    return {name: [round(one, _DIGITS) for one in own] if own else None for name, own in kinds}


def report(
    game: Game,
    found: Sequence[Choice],
    lucks: Sequence[Fortune] = (),
    effort: Effort | None = None,
) -> dict[str, Any]:
    """The whole analysis: the choices, with those marked that were costly; the luck of each deal as
    far as it is given; and a summary a seat: how many choices were analysed, forced and costly,
    what they lost together, with its error, and the luck of all deals.
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
        "effort": {"error": effort.error, "most": effort.most},
        "choices": [choice | {"costly": costs.get(id(choice), False)} for choice in found],
        "seats": [
            _seat([one for one in analysed if one["seat"] == seat], costs)
            | {"forced": count, "luck": _lucky(lucks, seat)}
            for seat, count in enumerate(forced, 1)
        ],
        "luck": list(lucks),
    }


def _is_forced(point: Point) -> bool:
    return point.forced and not point.reason


def _seat(own: Sequence[Choice], costs: dict[int, bool]) -> dict[str, Any]:
    lost = [choice for choice in own if choice["loss"]]
    return {
        "analysed": len(own),
        "costly": sum(costs[id(choice)] for choice in own),
        "loss": round(sum(choice["loss"] for choice in lost), _DIGITS),
        "error": round(sqrt(sum(choice["error"] ** 2 for choice in lost)), _DIGITS),
    }


def _lucky(lucks: Sequence[Fortune], seat: int) -> dict[str, float]:
    """The luck of a seat in all deals of which it is known."""
    known = {name: [one[name] for one in lucks] for name in Luck._fields}
    return {
        name: round(sum(sums[seat - 1] for sums in every if sums), _DIGITS)
        for name, every in known.items()
    }


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
    }
