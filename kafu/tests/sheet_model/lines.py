"""The lines of a month of a sheet, read against play order: who gets, who pays, how much."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from kafu.notation.game import Month, Payment


class Impossible(Exception):
    """The form of a line, or two lines together, rule a month out without a look at cards."""


@dataclass(frozen=True)
class Line:
    """One payment. Players are numbered in play order.

    ``each`` is the payment of each of the other players; ``payer`` is the player who pays for both,
    None if they share.
    """

    labels: tuple[str, ...]
    receiver: int
    each: int
    payer: int | None
    void: bool

    @property
    def label(self) -> str:
        """The label as written."""
        return "+".join(self.labels)


def play_order(dealer: int, seats: int) -> list[int]:
    """Return the seats from the dealer on."""
    return [(dealer - 1 + step) % seats + 1 for step in range(seats)]


def sort_payments(
    month: Month, tables: Mapping[str, Container[str]], labels: Container[str]
) -> dict[str, list[Payment]]:
    """Return payments by the table that has their first yaku, or by label. Raises `Impossible`."""
    kinds: dict[str, list[Payment]] = {name: [] for name in tables}
    for payment in month.payments:
        first = payment.label.split("+")[0]
        kind = next((name for name, table in tables.items() if first in table), payment.label)
        if kind not in tables and kind not in labels:
            raise Impossible(f"{payment.label}: not a label of the ruleset")
        kinds.setdefault(kind, []).append(payment)
    return kinds


def read_line(payment: Payment, order: Sequence[int]) -> Line:
    """Return a payment among the three who play, in play order. Raises `Impossible`."""
    amounts = [payment.amounts[seat - 1] for seat in order]
    if sum(amounts) or sum(map(abs, amounts)) != sum(map(abs, payment.amounts)):
        raise Impossible(f"{payment.label}: paid by others than the players")
    receivers = [player for player, amount in enumerate(amounts) if amount > 0]
    if len(receivers) != 1:
        raise Impossible(f"{payment.label}: not just one player gets")
    (receiver,) = receivers
    each, odd = divmod(amounts[receiver], len(order) - 1)
    payers = [player for player, amount in enumerate(amounts) if amount < 0]
    shared = all(amounts[player] == -each for player in payers) and len(payers) == len(order) - 1
    if odd or not (shared or len(payers) == 1):
        raise Impossible(f"{payment.label}: neither shared nor paid by one")
    labels = tuple(payment.label.split("+"))
    return Line(labels, receiver, each, None if shared else payers[0], payment.void)


def points_of(month: Month, seats: Sequence[int]) -> tuple[Payment | None, tuple[int, ...]]:
    """Return the line of card points, if there is one, and its amounts in play order."""
    lines = [payment for payment in month.payments if payment.label == "points"]
    if len(lines) > 1:
        raise Impossible("points twice")
    if not lines:
        return None, (0,) * len(seats)
    return lines[0], tuple(lines[0].amounts[seat - 1] for seat in seats)


def unique_yaku(lines: Sequence[Line]) -> Mapping[int, list[tuple[str, Line]]]:
    """Return the yaku of each player with their lines. Raises `Impossible` for one twice."""
    by_player: dict[int, list[tuple[str, Line]]] = {}
    for line in lines:
        yaku = by_player.setdefault(line.receiver, [])
        for name in line.labels:
            if any(name == other for other, _ in yaku):
                raise Impossible(f"{name} twice")
            yaku.append((name, line))
    return by_player
