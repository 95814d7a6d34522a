"""What the games of each player come to, from the results in the fact tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from records.models import Player
from records.statistics.intervals_sql import wilson_low
from records.statistics.selection import Selection


class PlayerTotals(NamedTuple):
    """A player's games of a selection.

    ``first`` games were won alone, ``shared`` with others; ``ranks`` is the sum of the places.
    ``final`` and ``final_sq`` are sums of final sums and their squares, in the small unit.
    ``win`` is the lower bound of Wilson's interval of games won alone, in 1/10⁹.
    """

    player: int
    games: int
    ended: int
    first: int
    shared: int
    ranks: int
    final: int
    final_sq: int
    win: int


#: The columns by which lists are sorted, the largest first.
ORDERS: Final = ("games", "win")


def read_totals(
    selection: Selection,
    *,
    least: int = 0,
    order: str = "games",
    after: Sequence[int] = (),
    size: int,
) -> tuple[list[PlayerTotals], int]:
    """Return ``size`` players with at least ``least`` games, and the number of all.

    Players who may not be named are left out. ``after`` is the place of the row before, its values
    of ``order`` and ``player``.
    """
    assert order in ORDERS
    unnamed = Player.objects.order_by().filter(statistics=False).values_list("pk", flat=True)
    totals = f"""
        SELECT player, count(*) AS games, count(*) FILTER (ended) AS ended,
            count(*) FILTER (rank = 1 AND NOT shared) AS first,
            count(*) FILTER (rank = 1 AND shared) AS shared,
            coalesce(sum(rank), 0) AS ranks, coalesce(sum(final), 0) AS final,
            coalesce(sum(final * final), 0) AS final_sq
        FROM {selection.rows("results")} WHERE NOT list_contains($unnamed, player)
        GROUP BY player HAVING count(*) >= $least
    """
    ranked = f"SELECT *, {wilson_low('first', 'ended')} AS win FROM ({totals})"
    place = f"WHERE ({order}, player) < ($value, $player_after)" if after else ""
    value, player = after or (0, 0)
    values = {
        "unnamed": list(unnamed),
        "least": least,
        "value": value,
        "player_after": player,
    }
    ((count,),) = selection.fetch(f"SELECT count(*) FROM ({totals})", **values)
    rows = selection.fetch(
        f"SELECT {', '.join(PlayerTotals._fields)} FROM ({ranked}) {place}"
        f" ORDER BY {order} DESC, player DESC LIMIT {int(size)}",
        **values,
    )
    return [PlayerTotals(*map(int, row)) for row in rows], count


def read_own_totals(selection: Selection) -> PlayerTotals | None:
    """Return the totals of the player that a selection is about; None without games."""
    rows, _count = read_totals(selection, size=1)
    return rows[0] if rows else None
