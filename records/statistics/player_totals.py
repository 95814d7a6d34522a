"""What the games of each player come to, from the results in the fact tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from records.statistics.intervals import Z
from records.statistics.selection import Selection, find_unnamed_players


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
#: `records.statistics.intervals.wilson` of ``first`` in ``ended`` games.
_WIN: Final = """
    CASE WHEN ended = 0 THEN 0 ELSE floor(1e9 * greatest(0,
        (first / ended + {square} / (2 * ended)) / (1 + {square} / ended)
        - {z} / (1 + {square} / ended) * sqrt(
            first / ended * (1 - first / ended) / ended + {square} / (4 * ended * ended)
        )
    ))::BIGINT END
""".format(z=Z, square=Z * Z)


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
    totals = f"""
        SELECT player, count(*) AS games, count(*) FILTER (ended) AS ended,
            count(*) FILTER (rank = 1 AND NOT shared) AS first,
            count(*) FILTER (rank = 1 AND shared) AS shared,
            sum(rank) AS ranks, sum(final) AS final, sum(final * final) AS final_sq
        FROM {selection.rows("results")} WHERE NOT list_contains($unnamed, player)
        GROUP BY player HAVING count(*) >= $least
    """
    values = {"unnamed": find_unnamed_players(), "least": least}
    ((count,),) = selection.fetch(f"SELECT count(*) FROM ({totals})", **values)
    place = f"WHERE ({order}, player) < ($value, $player_after)" if after else ""
    if after:
        values["value"], values["player_after"] = after
    rows = selection.fetch(
        f"SELECT * FROM (SELECT *, {_WIN} AS win FROM ({totals})) {place}"
        f" ORDER BY {order} DESC, player DESC LIMIT {int(size)}",
        **values,
    )
    return [PlayerTotals(*(int(number or 0) for number in row)) for row in rows], count
