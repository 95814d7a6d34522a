"""Who deals first: seat draw and the split of koi-koi's January (場所決め, 一札; K1, C7)."""

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
    """All seats in turn order from ``first`` on (C1).

    >>> turn_order(3, 4)
    (3, 4, 1, 2)
    """
    return tuple((first + i - 1) % players + 1 for i in range(players))


def check_draws(draws: Sequence[Mapping[int, str]]) -> None:
    """Two players draw until their months differ; cards that were drawn stay out (K1).

    Raises Illegal.
    """
    drawn = _draw(draws, (1, 2), put_back=False)
    _no_ties(drawn, (1, 2))


def order_by_draw(draws: Sequence[Mapping[int, str]], seats: Sequence[int]) -> int:
    """The dealer by seat draw: the youngest month (C7). The others' seats follow it too (H25).

    Equal months draw again among themselves, a row each. Raises Illegal.
    """
    drawn = _draw(draws, seats)
    _no_ties(drawn, seats)
    order = sorted(seats, key=lambda seat: _months(drawn[seat]))
    first = seats.index(order[0])
    for seat, due in zip(order, (*seats[first:], *seats[:first]), strict=True):
        if seat != due:
            raise _fault(codes.DRAW_SEATS, drawn[seat][-1], seat, expected=(str(due),), due=due)
    return order[0]


def first_by_draw(draws: Sequence[Mapping[int, str]], seats: Sequence[int]) -> int:
    """The dealer by seat draw if it decides nothing else: the player who drew the youngest month
    (C7).

    Those with equal months draw again. Raises Illegal.
    """
    drawn = _draw(draws, seats)
    first = min(seats, key=lambda seat: _months(drawn[seat]))
    _no_ties(drawn, [seat for seat in seats if _months(drawn[seat]) == _months(drawn[first])])
    return first


class _Drawn(NamedTuple):
    """A card that was drawn, and the row (from 0) in which it was."""

    row: int
    card: str


def _months(drawn: Sequence[_Drawn]) -> list[int]:
    return [cards.CARD[card].month for _, card in drawn]


def _draw(
    draws: Sequence[Mapping[int, str]], seats: Sequence[int], *, put_back: bool = True
) -> dict[int, list[_Drawn]]:
    """The draws of each seat, row by row: a row is one of all whose months are still equal (C7).

    ``put_back``: the cards go back after each row, so that one may come again, but not twice in a
    row. Raises Illegal at the card, or at the row that lacks one.
    """
    drawn: dict[int, list[_Drawn]] = {seat: [] for seat in seats}
    seen = ""
    for i, row in enumerate(draws):
        months = {seat: _months(drawn[seat]) for seat in seats}
        tied: list[int] = []
        seen = "" if put_back else seen
        for seat, card in row.items():
            one = _Drawn(i, card)
            if card not in cards.CARD:
                raise Illegal(codes.CARD_ALIEN, where=f"draw.{i}.{seat}", card=card)
            if card in seen:
                raise _fault(codes.DRAW_TWICE, one, seat)
            seen += card
            tied = tied or [other for other in seats if months[other] == months.get(seat)]
            if seat not in tied or len(tied) < 2:
                raise _fault(codes.DRAW_WRONG, one, seat)
            drawn[seat].append(one)
        if lacking := [seat for seat in tied if seat not in row]:
            names = tuple(map(str, lacking))
            where = f"draw.{i}"
            raise Illegal(
                codes.DRAW_MISSING, where=where, expected=names, row=i + 1, seats=", ".join(names)
            )
    return drawn


def _no_ties(drawn: Mapping[int, Sequence[_Drawn]], seats: Sequence[int]) -> None:
    """Raise Illegal, at the card of the second of them, if ``seats`` have equal draws (C7)."""
    for i, seat in enumerate(seats):
        for other in seats[:i]:
            if _months(drawn[seat]) == _months(drawn[other]):
                last = drawn[other][-1].card
                raise _fault(codes.DRAW_AGAIN, drawn[seat][-1], seat, other=other, last=last)


def _fault(
    code: Code, drawn: _Drawn, seat: int, *, expected: tuple[str, ...] = (), **values: Any
) -> Illegal:
    """The fault of a card of the seat draw, which names its row and stands at the card."""
    row, card = drawn
    where = f"draw.{row}.{seat}"
    return Illegal(
        code, where=where, expected=expected, row=row + 1, seat=seat, card=card, **values
    )


def dealer_of_split(split: Mapping[int, str], field: str) -> int | None:
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
