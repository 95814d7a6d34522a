"""The first dealer: seat draw, and the split of koi-koi's January (場所決め, 一札; K1, C7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

from kafu import cards
from kafu.notation.faults import Code
from kafu.rules import codes
from kafu.rules.play.actions import Illegal

_KIND_RANK: Final[Mapping[str, int]] = {"bright": 3, "animal": 2, "slip": 1, "dregs": 0}


@cache
def turn_order(first: int, players: int) -> tuple[int, ...]:
    """Return all seats in turn order from ``first`` on (C1).

    >>> turn_order(3, 4)
    (3, 4, 1, 2)
    """
    return tuple((first + i - 1) % players + 1 for i in range(players))


def check_draws(draws: Sequence[Mapping[int, str]]) -> None:
    """Check the draws of two players, who draw until their months differ (K1).

    Drawn cards stay out. Raise Illegal for a wrong or missing draw.
    """
    drawn = _read_draws(draws, (1, 2), put_back=False)
    _check_ties(drawn, (1, 2))


def order_by_draw(draws: Sequence[Mapping[int, str]], seats: Sequence[int]) -> int:
    """Return the dealer by seat draw, the youngest month (C7).

    The other seats follow the draw too (H25). Players with equal months draw again, a row each
    time. Raise Illegal for a wrong or missing draw.
    """
    drawn = _read_draws(draws, seats)
    _check_ties(drawn, seats)
    order = sorted(seats, key=lambda seat: _months(drawn[seat]))
    first = seats.index(order[0])
    for seat, due in zip(order, (*seats[first:], *seats[:first]), strict=True):
        if seat != due:
            raise _fault(codes.DRAW_SEATS, drawn[seat][-1], seat, expected=(str(due),), due=due)
    return order[0]


def first_by_draw(draws: Sequence[Mapping[int, str]], seats: Sequence[int]) -> int:
    """Return the dealer by a seat draw that decides nothing else: the youngest month (C7).

    Players with equal youngest months draw again. Raise Illegal for a wrong or missing draw.
    """
    drawn = _read_draws(draws, seats)
    first = min(seats, key=lambda seat: _months(drawn[seat]))
    _check_ties(drawn, [seat for seat in seats if _months(drawn[seat]) == _months(drawn[first])])
    return first


class _Drawn(NamedTuple):
    """A drawn card with its row (from 0)."""

    row: int
    card: str


def _months(drawn: Sequence[_Drawn]) -> list[int]:
    """Return the months of drawn cards."""
    return [cards.CARD[card].month for _, card in drawn]


def _read_draws(
    draws: Sequence[Mapping[int, str]], seats: Sequence[int], *, put_back: bool = True
) -> dict[int, list[_Drawn]]:
    """Return the drawn cards of each seat, row by row.

    In each row the players with equal months so far draw again (C7). ``put_back``: the cards go
    back after each row, so a card may come again, but not twice in a row. Raise Illegal at the
    card, or at the row without a due card.
    """
    drawn: dict[int, list[_Drawn]] = {seat: [] for seat in seats}
    out = ""
    for i, row in enumerate(draws):
        months = {seat: _months(drawn[seat]) for seat in seats}
        tied: list[int] = []
        out = "" if put_back else out
        for seat, card in row.items():
            draw = _Drawn(i, card)
            if card not in cards.CARD:
                raise Illegal(codes.CARD_ALIEN, where=f"draw.{i}.{seat}", card=card)
            if card in out:
                raise _fault(codes.DRAW_TWICE, draw, seat)
            out += card
            tied = tied or [rival for rival in seats if months[rival] == months.get(seat)]
            if seat not in tied or len(tied) < 2:
                raise _fault(codes.DRAW_WRONG, draw, seat)
            drawn[seat].append(draw)
        if lacking := [seat for seat in tied if seat not in row]:
            names = tuple(map(str, lacking))
            where = f"draw.{i}"
            raise Illegal(
                codes.DRAW_MISSING, where=where, expected=names, row=i + 1, seats=", ".join(names)
            )
    return drawn


def _check_ties(drawn: Mapping[int, Sequence[_Drawn]], seats: Sequence[int]) -> None:
    """Raise Illegal, at the card of the second seat, if two of ``seats`` have equal draws (C7)."""
    for i, seat in enumerate(seats):
        for rival in seats[:i]:
            if _months(drawn[seat]) == _months(drawn[rival]):
                last = drawn[rival][-1].card
                raise _fault(codes.DRAW_AGAIN, drawn[seat][-1], seat, other=rival, last=last)


def _fault(
    code: Code, drawn: _Drawn, seat: int, *, expected: tuple[str, ...] = (), **values: Any
) -> Illegal:
    """Return the fault of a card of the seat draw, with its row and place."""
    row, card = drawn
    where = f"draw.{row}.{seat}"
    return Illegal(
        code, where=where, expected=expected, row=row + 1, seat=seat, card=card, **values
    )


def dealer_of_split(split: Mapping[int, str], field: str) -> int | None:
    """Return the dealer by 一札 (K1).

    The tests are: higher sum of last digits, higher sum of months, best card, lower month of the
    best card. ``split`` has the four field cards turned by each seat. None if all tests are ties.
    Raise Illegal if the cards are not the field.
    """
    halves = set(split) == {1, 2} and all(len(part) == 4 for part in split.values())
    if not halves or sorted("".join(split.values())) != sorted(field):
        raise Illegal(codes.SPLIT_WRONG, where="split")
    first, second = _rank_half(split[1]), _rank_half(split[2])
    if first == second:
        return None
    return 1 if first > second else 2


def _rank_half(part: str) -> tuple[int, int, int, int]:
    """Return the sort key of the cards turned by a seat."""
    turned = [cards.CARD[letter] for letter in part]
    digits = sum(card.month for card in turned if card.month < 10)
    best = max(_KIND_RANK[card.kind] for card in turned)
    lowest = min(card.month for card in turned if _KIND_RANK[card.kind] == best)
    return digits, sum(card.month for card in turned), best, -lowest
