"""The points and chaff cards that the special yaku of a month need (H16)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

from kafu.rules.grades import GradeScale
from kafu.rules.hachihachi import sheet_lines, year
from kafu.rules.sheets.divisions import ways
from kafu.rules.sheets.lines import PaymentLine
from kafu.rules.sheets.question import DemandedPlayer

EVEN: Final = 88


def demand_specials(
    lines: Sequence[PaymentLine], scale: GradeScale, players: Mapping[int, DemandedPlayer]
) -> Iterator[tuple[dict[int, DemandedPlayer], bool]]:
    """Yield the players with the points and chaff cards of the special yaku in ``lines`` (H16).

    The second value is whether all players have equal points.
    """
    choices = [
        [tuple(zip(line.yaku, kan, strict=True)) for kan in _list_values(line, scale)]
        for line in lines
    ]
    seats = [line.seat for line in lines for _ in line.yaku]
    for chosen in product(*choices):
        demanded = dict(players)
        is_even = False
        is_possible = True
        for seat, (id, kan) in zip(
            seats, (pair for pairs in chosen for pair in pairs), strict=True
        ):
            special = year.SPECIALS[id]
            if id == "sohachi":
                is_even = True
                continue
            count = special.least + (kan - special.kan) // special.step
            player = demanded[seat]
            if id == "futahachi":
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


def _list_values(line: PaymentLine, scale: GradeScale) -> Iterator[tuple[int, ...]]:
    """Yield the values in kan of the special yaku of a line."""
    choices = [sheet_lines.SPECIAL[id] for id in line.yaku]
    kan_by_points = {scale.yaku(kan): kan for kan_values in choices for kan in kan_values}
    each = line.amounts[line.seat - 1] // 2
    for way in ways([tuple(map(scale.yaku, kan_values)) for kan_values in choices], each):
        yield tuple(kan_by_points[points] for points in way)
