"""The description of 三人花合わせ for the other parts of the library."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from kafu import cards
from kafu.rules.description import Cell, Dealt, Played, Ruleset, Steps
from kafu.rules.hanaawase.machine import AGAIN, MONTHS, Hanaawase, declarations
from kafu.rules.hanaawase.payments import PAYMENTS, VALUES
from kafu.rules.hanaawase.policy import WEIGHTS
from kafu.rules.hanaawase.sheet import HanaawaseSheet
from kafu.rules.names import Name
from kafu.rules.play.at_end import FIELD, HAND
from kafu.rules.teyaku import NONE, pattern


def _judge(hand: int) -> Cell:
    """Return the yaku of a hand for odds: 手四 or 月三手, and one by chaff.

    A hand 4-2-1 may be declared as either of the former, and counts as 手四 (A1).
    """
    yaku = [declared.yaku[0] for declared in declarations(hand)]
    row = next((id for id in yaku if id not in VALUES), NONE)
    return row, next((id for id in yaku if id in VALUES), NONE)


def _key(hand: int) -> Hashable:
    """Return the pattern and the number of chaff cards, on which all yaku of a hand depend."""
    return pattern(hand), (hand & cards.CHAFF).bit_count()


def _settlement(game: Played) -> Steps:
    """Generate the only step, the year's prize of 80 points (A6)."""
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
        columns={id: PAYMENTS.find_each(id) for id in VALUES},
        judge=_judge,
        key=_key,
        alone=AGAIN,
    ),
    columns=1,
    settlement=_settlement,
    special=("fuke",),
    policy=lambda machine: WEIGHTS,
)
