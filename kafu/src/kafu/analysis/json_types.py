"""Types of the JSON of an analysis (`kafu.analysis.report`).

Numbers are rounded to thousandths.
"""

from __future__ import annotations

from typing import Annotated, TypedDict

from kafu.notation.json_types import OneOf

_SMALL = "In the small unit."
_ERROR = "The standard error."
_START = "What is to be expected of any deal."
_DEAL = "The luck of the cards dealt."
_STOCK = "The luck of the draw pile."
_OWN = "What the seat's own choices brought it, the hands being what they were."
_OTHERS = "What the choices of the others brought it."
_REST = "The result less all that: noise, within its error."


class Winning(TypedDict):
    """A chance to win the game, or a difference of two; a tie for the first place is shared."""

    value: float
    error: Annotated[float, _ERROR]


class ActionJson(TypedDict):
    """An action that a choice offered, and what it was worth to its seat."""

    move: Annotated[
        str,
        "As Kafu writes it: `AxC`, a word, or a declaration and its cards; `in`, `out` and `blind` "
        "of bids; `-` for saying nothing.",
    ]
    mean: Annotated[float, f"Mean result of the deal. {_SMALL}"]
    error: Annotated[float, "Its standard error."]
    deals: Annotated[int, "Deals that it was tried on."]
    chance: Annotated[Winning, "The chance that the seat wins the game."]


class ChoiceJson(TypedDict):
    """A choice of a seat that was not forced."""

    deal: Annotated[int, "From 1."]
    step: Annotated[int, "Of the replay's deal, from 0."]
    turn: int
    seat: int
    kind: Annotated[str, OneOf("ChoiceKind", ("hand", "stock", "say", "bid", "show"))]
    played: Annotated[str, "The action that was chosen."]
    options: Annotated[list[ActionJson], "Empty where there is a reason."]
    rival: Annotated[str, "The best other action."]
    better: Annotated[float, f"How much more the rival is worth. {_SMALL}"]
    error: Annotated[float, "The standard error of that."]
    deals: Annotated[int, "Deals of that comparison, used for nothing else."]
    exact: Annotated[bool, "All deals that fit were counted."]
    sought: Annotated[bool, "The rival led where it was looked for."]
    loss: Annotated[float, "`better` if above two standard errors, else 0."]
    chance: Annotated[
        Winning, "How much likelier the seat wins the game with the rival, on the same deals."
    ]
    costly: Annotated[bool, "Costly beyond its error (Holm over the game)."]
    reason: Annotated[
        str, OneOf("ChoiceReason", ("", "hand", "count", "rare")), "Why it cannot be analysed."
    ]


class AmountsJson(TypedDict):
    """Measured sums, a seat each."""

    value: Annotated[list[float], _SMALL]
    error: Annotated[list[float], _ERROR]


class AmountJson(TypedDict):
    """A measured sum."""

    value: Annotated[float, _SMALL]
    error: Annotated[float, _ERROR]


class DealParts(TypedDict):
    """The parts of a result."""

    start: Annotated[AmountsJson, _START]
    deal: Annotated[AmountsJson, _DEAL]
    stock: Annotated[AmountsJson, _STOCK]
    own: Annotated[AmountsJson, _OWN]
    others: Annotated[AmountsJson, _OTHERS]
    rest: Annotated[AmountsJson, _REST]


class SeatParts(TypedDict):
    """The parts of a result."""

    start: Annotated[AmountJson, _START]
    deal: Annotated[AmountJson, _DEAL]
    stock: Annotated[AmountJson, _STOCK]
    own: Annotated[AmountJson, _OWN]
    others: Annotated[AmountJson, _OTHERS]
    rest: Annotated[AmountJson, _REST]


class ExpectedJson(AmountsJson):
    """The expected result of the deal for each seat after a step, with all hands known."""

    step: Annotated[int, "Of the replay's deal, from 0."]


class DealAccount(TypedDict):
    """The result of a deal and its parts; null and empty if it was not measured."""

    deal: Annotated[int, "From 1."]
    result: list[int] | None
    parts: DealParts | None
    course: Annotated[list[ExpectedJson], "Steps at which it changed."]


class SeatSums(TypedDict):
    """The sums over the choices of a seat."""

    analysed: int
    forced: int
    costly: int
    loss: float
    error: float
    result: Annotated[int, "Of the deals that were measured."]
    parts: SeatParts


class EffortJson(TypedDict):
    """How much was done for a choice."""

    error: Annotated[float, "The standard error aimed at."]
    most: Annotated[int, "Deals of a comparison at the most."]
    games: Annotated[int, "Simulated games behind the chances to win."]


class ReportParts(TypedDict):
    """A whole analysis; in the library with `rules`."""

    effort: EffortJson
    choices: list[ChoiceJson]
    seats: list[SeatSums]
    deals: list[DealAccount]
