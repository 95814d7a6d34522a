"""The description of 三人花合わせ for the rest of the library."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from kafu import cards
from kafu.rules.description import Cell, Dealt, Played, Ruleset, Steps
from kafu.rules.hanaawase.machine import AGAIN, MONTHS, VALUES, Hanaawase, declarations
from kafu.rules.hanaawase.sheet import HanaawaseSheet
from kafu.rules.hanaawase.wishes import wishes
from kafu.rules.names import Name
from kafu.rules.play.at_end import FIELD, HAND
from kafu.rules.teyaku import NONE, pattern


def _judge(hand: int) -> Cell:
    """Of a hand with two yaku one is declared; 4-2-1 may be either of two, and is the first
    (A1).
    """
    named = [one.yaku[0] for one in declarations(hand)]
    row = next((yaku for yaku in named if yaku not in VALUES), NONE)
    return row, next((yaku for yaku in named if yaku in VALUES), NONE)


def _key(hand: int) -> Hashable:
    return pattern(hand), (hand & cards.DREGS).bit_count()


def _settlement(game: Played) -> Steps:
    """The year's 80 points (A6)."""
    yield "ginmi", tuple(map(int.__sub__, game.final, game.totals))


HANAAWASE: Final = Ruleset(
    id="hanaawase",
    name=Name("hanaawase", "三人花合わせ", "sannin hana-awase", "flower matching for three"),
    seats=range(3, 4),
    hand=HAND,
    field=FIELD,
    round=Hanaawase.round,
    dealer="胴",
    machine=lambda options, players: Hanaawase(),
    sheet=lambda options, players: HanaawaseSheet(),
    months=MONTHS,
    card_points=cards.points,
    dealt=Dealt(
        rows={row.id: row.value for row in AGAIN},
        columns=VALUES,
        judge=_judge,
        key=_key,
        alone=AGAIN,
    ),
    columns=1,
    settlement=_settlement,
    special=("fuke",),
    wishes=wishes,
)
