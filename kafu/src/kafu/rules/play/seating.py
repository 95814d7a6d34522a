"""Who deals first: seat draw and the split of koi-koi's January (場所決め, 一札; K1, C7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kafu import cards
from kafu.rules import codes
from kafu.rules.play.actions import Illegal

_KIND_RANK: Final[Mapping[str, int]] = {"bright": 3, "animal": 2, "slip": 1, "dregs": 0}


def turn_order(first: int, players: int) -> tuple[int, ...]:
    """All seats in turn order from ``first`` on (C1).

    >>> turn_order(3, 4)
    (3, 4, 1, 2)
    """
    return tuple((first + i - 1) % players + 1 for i in range(players))


def check_draws(draws: Sequence[Mapping[int, str]]) -> None:
    """Each seat draws one card a row, and none comes twice; equal months draw again (K1, C7).

    Raises Illegal.
    """
    drawn = [card for row in draws for card in row.values()]
    if len(set(drawn)) < len(drawn):
        raise Illegal(codes.DRAW_WRONG, where="draw.0")
    for i, row in enumerate(draws):
        months = {cards.CARD[card].month for card in row.values() if card in cards.CARD}
        if set(row) != {1, 2} or len(months) != (2 if i == len(draws) - 1 else 1):
            raise Illegal(codes.DRAW_WRONG, where=f"draw.{i}")


def order_by_draw(draws: Sequence[Mapping[int, str]], seats: Sequence[int]) -> int:
    """The dealer by seat draw: the youngest month (C7). The others' seats follow it too (H25).

    Equal months draw again among themselves, a row each. Raises Illegal.
    """
    keys = _drawn_months(draws, seats)
    order = sorted(seats, key=lambda seat: keys[seat])
    if len({tuple(key) for key in keys.values()}) < len(seats):
        raise Illegal(codes.DRAW_WRONG, where=f"draw.{len(draws) - 1}")
    first = seats.index(order[0])
    if order != [*seats[first:], *seats[:first]]:
        raise Illegal(codes.DRAW_WRONG, where="draw.0")
    return order[0]


def first_by_draw(draws: Sequence[Mapping[int, str]], seats: Sequence[int]) -> int:
    """The dealer by seat draw where it settles nothing else: who drew the youngest month (C7).

    Those who drew it alike draw again. Raises Illegal.
    """
    keys = _drawn_months(draws, seats)
    first = min(seats, key=lambda seat: keys[seat])
    if list(keys.values()).count(keys[first]) > 1:
        raise Illegal(codes.DRAW_WRONG, where=f"draw.{len(draws) - 1}")
    return first


def _drawn_months(draws: Sequence[Mapping[int, str]], seats: Sequence[int]) -> dict[int, list[int]]:
    """The months that each seat drew, row by row; every row is one of all who are still equal."""
    drawn = [card for row in draws for card in row.values()]
    if len(set(drawn)) < len(drawn) or any(card not in cards.CARD for card in drawn):
        raise Illegal(codes.DRAW_WRONG, where="draw.0")
    keys: dict[int, list[int]] = {seat: [] for seat in seats}
    for i, row in enumerate(draws):
        tied = {seat for seat in seats if list(keys.values()).count(keys[seat]) > 1}
        groups = {tuple(keys[seat]) for seat in tied}
        due = [{seat for seat in tied if tuple(keys[seat]) == key} for key in groups]
        if set(row) not in due:
            raise Illegal(codes.DRAW_WRONG, where=f"draw.{i}")
        for seat, card in row.items():
            keys[seat].append(cards.CARD[card].month)
    return keys


def settle(split: Mapping[int, str], field: str) -> int | None:
    """The dealer by 一札: higher sum of last digits, of months, best card, its lower month (K1).

    ``split`` gives the four field cards a seat turned. None if even the last test is a tie. Raises
    Illegal if they are not the field.
    """
    halves = set(split) == {1, 2} and all(len(part) == 4 for part in split.values())
    if not halves or sorted("".join(split.values())) != sorted(field):
        raise Illegal(codes.SPLIT_WRONG, where="split")
    first, second = _worth(split[1]), _worth(split[2])
    if first == second:
        return None
    return 1 if first > second else 2


def _worth(part: str) -> tuple[int, int, int, int]:
    turned = [cards.CARD[letter] for letter in part]
    digits = sum(card.month for card in turned if card.month < 10)
    best = max(_KIND_RANK[card.kind] for card in turned)
    lowest = min(card.month for card in turned if _KIND_RANK[card.kind] == best)
    return digits, sum(card.month for card in turned), best, -lowest
