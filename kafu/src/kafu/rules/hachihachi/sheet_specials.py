"""The points and chaff cards that the special yaku of a month need (H16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from kafu.rules.hachihachi import year
from kafu.rules.payments import PaymentTable
from kafu.rules.sheets.divisions import ways
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.question import DemandedPlayer

EVEN: Final = 88


def demand_specials(
    lines: Sequence[PaymentLine], payments: PaymentTable, players: Mapping[int, DemandedPlayer]
) -> Iterator[tuple[dict[int, DemandedPlayer], bool]]:
    """Yield the players with the points and chaff cards of the special yaku in ``lines`` (H16).

    The second value is whether all players have equal points.
    """
    seats = [line.seat for line in lines for _ in line.yaku]
    for chosen in product(*(list(_list_counts(line, payments)) for line in lines)):
        demanded = dict(players)
        is_even = False
        is_possible = True
        for seat, (id, count) in zip(
            seats, (pair for pairs in chosen for pair in pairs), strict=True
        ):
            player = demanded[seat]
            if id == "sohachi":
                is_even = True
            elif id == "futahachi":
                is_possible &= player.points is None
                demanded[seat] = player._replace(points=(count, count))
            else:
                is_possible &= player.chaff is None
                demanded[seat] = player._replace(chaff=count)
        if is_even:
            is_possible &= all(player.points is None for player in demanded.values())
            demanded = {
                seat: player._replace(points=(EVEN, EVEN)) for seat, player in demanded.items()
            }
        if is_possible:
            yield demanded, is_even


def _list_counts(
    line: PaymentLine, payments: PaymentTable
) -> Iterator[tuple[tuple[str, int], ...]]:
    """Yield the points or chaff cards for which the special yaku of a line can be paid."""
    choices = [payments[id].each for id in line.yaku]
    for way in ways(choices, line.amounts[line.seat - 1] // 2):
        yield tuple(
            (id, year.SPECIALS[id].least + each.index(amount))
            for id, each, amount in zip(line.yaku, choices, way, strict=True)
        )
