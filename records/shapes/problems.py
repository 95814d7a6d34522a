"""The problem of a day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from kafu.analysis.json_types import ActionJson
from kafu.analysis.problems import KINDS
from kafu.notation.json_types import OneOf, RulesetId
from records.base.json_types import Day
from records.shapes.shape import Shape


class DailyProblem(Shape, kw_only=True):
    """A choice of an analysed game with one clearly best action, as its seat sees the table."""

    day: Annotated[Day, "Begins at midnight in Japan."]
    ruleset: RulesetId
    key: Annotated[str, "The key of the game."]
    at: Annotated[str, "Deal (from 1) and step (from 0) before the choice, as in the replay."]
    month: int
    turn: int
    seat: Annotated[int, "The seat that chooses."]
    kind: Annotated[
        str,
        OneOf("DailyProblemKind", KINDS),
        "A card of the hand, a capture of the turned card, or a word.",
    ]
    totals: Annotated[Sequence[int], "By seat, before the deal, in the small unit."]
    hands: Annotated[Sequence[str], "By seat; `?` for a card that the seat cannot see."]
    field: str
    captured: Annotated[Sequence[str], "By seat."]
    turned: Annotated[str, "The turned card of the draw pile; empty without one."]
    stock: Annotated[int, "Number of cards left in the draw pile."]
    options: Annotated[Sequence[ActionJson], "The possible actions with their values."]
    played: Annotated[str, "The action of the game."]
    best: Annotated[str, "The best action."]
    advantage: Annotated[float, "Over the nearest other action, in the small unit."]
    error: Annotated[float, "The standard error of the advantage; 0 if it is exact."]
