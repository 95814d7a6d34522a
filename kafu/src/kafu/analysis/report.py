"""The analysis of a game as JSON, for storage, the API and the command line.

Numbers are in the small unit, rounded to thousandths. `kafu.analysis.json_types` has the shape.

``rival``, ``better`` and ``chance`` of a choice are those of `search.ChoiceValue`; the ``chance``
of an option is the chance to win the game with it. ``loss`` equals ``better`` if it exceeds two
standard errors, and is 0 otherwise. A choice that cannot be analysed has a ``reason`` and no
options. Forced choices are only counted. The parts of a deal are those of a `luck.DealAccount`;
``result`` and ``parts`` are None if the deal cannot be measured. docs/analysis.md explains the
values.

Among hundreds of choices, some look bad by chance. Costly choices are therefore found by Holm's
procedure over all choices of a game ("A simple sequentially rejective multiple test procedure",
Scandinavian Journal of Statistics 6, 1979): the chance of any wrong mark in a game is at most
`LEVEL`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import erfc, sqrt
from typing import Any, Final, NamedTuple, Protocol

from kafu.analysis.choices import (
    ChoicePoint,
    analyse,
    default_effort,
    find_choices,
    format_option,
)
from kafu.analysis.luck import PLAYOUTS, Amounts, account_for_deal
from kafu.analysis.search import ChoiceValue, Effort, Measure
from kafu.notation.game import Game

#: The version of the results. Change it with the policy, the search or the marks.
VERSION: Final = "7"
#: The JSON object of a choice.
Choice = dict[str, Any]
#: The JSON object of a deal.
DealParts = dict[str, Any]
#: The parts of a result in JSON, and the attributes of `luck.DealAccount` with their amounts.
_ATTRIBUTES: Final = {
    "start": "start",
    "deal": "deal",
    "stock": "stock",
    "own": "choices",
    "others": "opponents",
    "rest": "remainder",
}
#: The parts of a result, the remainder last.
PARTS: Final = tuple(_ATTRIBUTES)
_DIGITS: Final = 3
#: The number of standard errors that a loss must exceed.
CLEAR: Final = 2
#: The chance of at least one wrong mark in a game.
LEVEL: Final = 0.05
#: The smallest marked loss in the small unit, whatever its certainty.
LEAST: Final = 0.5


class Comparison(Protocol):
    """The advantage of a rival over the played action, with the fields of `search.ChoiceValue`."""

    @property
    def better(self) -> float: ...
    @property
    def error(self) -> float: ...
    @property
    def deals(self) -> int: ...
    @property
    def exact(self) -> bool: ...
    @property
    def sought(self) -> bool: ...


class _Comparison(NamedTuple):
    better: float
    error: float
    deals: int
    exact: bool
    sought: bool


def is_missed(choice: Mapping[str, Any]) -> bool:
    """Return whether the analysis found an action better than the chosen one."""
    return bool(choice["sought"] and choice["better"] > 0)


def count_choices(game: Game) -> int:
    """Return the number of choices in a report. Raises `Unsupported`."""
    return sum(not _is_plainly_forced(point) for point in find_choices(game))


def analyse_choices(
    game: Game, *, seed: int = 0, effort: Effort | None = None, after: int = 0
) -> Iterator[Choice]:
    """Yield the choices of a game, without the first ``after`` ones, as they are analysed.

    A choice has the same values for every ``after``. Raises `Unsupported`.
    """
    points = (point for point in find_choices(game) if not _is_plainly_forced(point))
    for point, value in analyse(game, islice(points, after, None), seed=seed, effort=effort):
        yield _format_choice(point, value)


def measure_deal(game: Game, number: int, *, seed: int = 0, playouts: int = PLAYOUTS) -> DealParts:
    """Return the parts of a deal's result, by its number from 1. Raises `Unsupported`."""
    account = account_for_deal(game, number, seed=seed, playouts=playouts)
    if account is None:
        return {"deal": number, "result": None, "parts": None, "course": []}
    return {
        "deal": number,
        "result": list(account.result),
        "parts": {
            part: _round(getattr(account, attribute)) for part, attribute in _ATTRIBUTES.items()
        },
        "course": [
            {**_round(expectation.amounts), "step": expectation.step}
            for expectation in account.course
        ],
    }


def _round(amounts: Amounts) -> dict[str, list[float]]:
    columns = zip(Amounts._fields, amounts, strict=True)
    return {name: [round(amount, _DIGITS) for amount in column] for name, column in columns}


def make_report(
    game: Game,
    choices: Sequence[Choice],
    deals: Sequence[DealParts] = (),
    effort: Effort | None = None,
) -> dict[str, Any]:
    """Return the report of a game: choices with marks, deals, and a summary by seat.

    A summary has the numbers of analysed, forced and costly choices, the total loss with its
    error, and the total parts of all measured deals.
    """
    effort = effort or default_effort(game.rules)
    analysed = [choice for choice in choices if not choice["reason"]]
    marks = find_costly(
        [_Comparison(*(choice[name] for name in _Comparison._fields)) for choice in analysed]
    )
    is_costly = {id(choice): mark for choice, mark in zip(analysed, marks, strict=True)}
    forced = [0] * len(game.players)
    for point in find_choices(game):
        forced[point.seat - 1] += _is_plainly_forced(point)
    measured = [deal for deal in deals if deal["parts"]]
    return {
        "rules": game.rules,
        "effort": {"error": effort.error, "most": effort.most, "games": effort.games},
        "choices": [choice | {"costly": is_costly.get(id(choice), False)} for choice in choices],
        "seats": [
            _summarize_choices(
                [choice for choice in analysed if choice["seat"] == seat], is_costly, count
            )
            | _add_up_deals(measured, seat)
            for seat, count in enumerate(forced, 1)
        ],
        "deals": list(deals),
    }


def analyse_game(game: Game, *, seed: int = 0, most: int | None = None) -> dict[str, Any]:
    """Return the report of a game with all choices and deals. Raises `Unsupported`.

    At most ``most`` deals are sampled for a comparison.
    """
    effort = default_effort(game.rules, most)
    playouts = min(effort.most, PLAYOUTS)
    choices = list(analyse_choices(game, seed=seed, effort=effort))
    deals = [
        measure_deal(game, number, seed=seed, playouts=playouts)
        for number in range(1, len(game.months) + 1)
    ]
    return make_report(game, choices, deals, effort)


def _is_plainly_forced(point: ChoicePoint) -> bool:
    return point.is_forced and not point.reason


def _summarize_choices(
    choices: Sequence[Choice], is_costly: dict[int, bool], forced: int
) -> dict[str, Any]:
    losses = [choice for choice in choices if choice["loss"]]
    return {
        "analysed": len(choices),
        "forced": forced,
        "costly": sum(is_costly[id(choice)] for choice in choices),
        "loss": round(sum((choice["loss"] for choice in losses), 0.0), _DIGITS),
        "error": round(sqrt(sum(choice["error"] ** 2 for choice in losses)), _DIGITS),
    }


def _add_up_deals(deals: Sequence[DealParts], seat: int) -> dict[str, Any]:
    parts = {}
    for name in PARTS:
        amounts = [deal["parts"][name] for deal in deals]
        value = sum((amount["value"][seat - 1] for amount in amounts), 0.0)
        variance = sum(amount["error"][seat - 1] ** 2 for amount in amounts)
        parts[name] = {"value": round(value, _DIGITS), "error": round(sqrt(variance), _DIGITS)}
    return {"result": sum(deal["result"][seat - 1] for deal in deals), "parts": parts}


def _format_choice(point: ChoicePoint, value: ChoiceValue | None) -> Choice:
    choice: Choice = {
        "deal": point.deal,
        "step": point.step,
        "turn": point.turn,
        "seat": point.seat,
        "kind": point.kind,
        "played": format_option(point.actions[point.played]),
        "options": [],
        "rival": "",
        "better": 0.0,
        "error": 0.0,
        "deals": 0,
        "exact": False,
        "sought": False,
        "loss": 0.0,
        "chance": _format_chance(Measure(0.0, 0.0)),
        "costly": False,
        "reason": point.reason,
    }
    if value is None:
        return choice
    better = round(value.better, _DIGITS)
    return choice | {
        "options": [
            {
                "move": format_option(option.action),
                "mean": round(option.mean, _DIGITS),
                "error": round(option.error, _DIGITS),
                "deals": option.deals,
                "chance": _format_chance(option.chance),
            }
            for option in value.options
        ],
        "rival": format_option(value.options[value.rival].action),
        "better": better,
        "error": round(value.error, _DIGITS),
        "deals": value.deals,
        "exact": value.exact,
        "sought": value.sought,
        "loss": better if value.sought and better > CLEAR * value.error else 0.0,
        "chance": _format_chance(value.chance),
    }


def _format_chance(measure: Measure) -> dict[str, float]:
    return {"value": round(measure.mean, _DIGITS), "error": round(measure.error, _DIGITS)}


# Marks --------------------------------------------------------------------------------------------


def error_probability(choice: Comparison) -> float:
    """Return the chance to measure the rival's advantage if there is none.

    It follows from the normal distribution, and is 1 if the search found the played action best.
    If the advantage is the same in every deal, as for a hand that pays when declared, the sign
    test applies.
    """
    if not choice.sought or choice.better <= 0:
        return 1.0
    if not choice.error:
        return 0.0 if choice.exact else 0.5**choice.deals
    return erfc(choice.better / choice.error / sqrt(2)) / 2


def find_costly(choices: Sequence[Comparison]) -> list[bool]:
    """Return for each choice of a game whether it is significantly costly (Holm's procedure)."""
    chances = [error_probability(choice) for choice in choices]
    order = sorted(range(len(choices)), key=lambda index: chances[index])
    marks = [False] * len(choices)
    for rank, index in enumerate(order):
        if chances[index] > LEVEL / (len(choices) - rank):
            break
        marks[index] = choices[index].better >= LEAST
    return marks
