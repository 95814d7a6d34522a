"""Declarations of dealt hands (手役): what every ruleset asks of one that is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, islice
from typing import Final, Protocol

from kafu import cards
from kafu.rules import codes
from kafu.rules.play.actions import Illegal, Show
from kafu.rules.play.table import Table

#: What may count as a slip.
_SLIPS: Final = cards.SLIPS | cards.MONTHS[11]
_TRIES: Final = 5000


class Declaration(Protocol):
    """A right way to declare a hand: yaku ids, and the cards (mask) that it lays open."""

    @property
    def yaku(self) -> tuple[str, ...]: ...
    @property
    def cards(self) -> int: ...


def check(
    right: Sequence[Declaration],
    seat: int,
    yaku: tuple[str, ...],
    opened: int | None,
    *,
    rulings: tuple[str, str],
    where: str = "",
) -> None:
    """Raise Illegal unless ``seat`` declares one of the ``right`` ways.

    ``opened`` are the cards laid open, None where they were checked before. ``rulings`` are those
    on which yaku a hand has, and on which cards it lays open.
    """
    name = "+".join(yaku)
    names = tuple(dict.fromkeys("+".join(one.yaku) for one in right))
    if not names:
        raise Illegal(codes.SHOW_FALSE, where=where, seat=seat, yaku=name)
    if name not in names:
        raise Illegal(
            codes.SHOW_LOWER,
            where=where,
            expected=names,
            seat=seat,
            yaku=name,
            due=" / ".join(names),
            ruling=rulings[0],
        )
    due = [one.cards for one in right if one.yaku == yaku]
    if opened is not None and opened not in due:
        raise Illegal(
            codes.SHOW_CARDS,
            where=where,
            expected=tuple(map(cards.letters, due)),
            seat=seat,
            cards=cards.letters(opened),
            ruling=rulings[1],
        )


def check_hidden(
    laid: Table,
    show: Show,
    right: Callable[[int], Iterable[Declaration]],
    *,
    rulings: tuple[str, str],
    among: int = cards.ALL,
) -> None:
    """Raise Illegal unless some unseen cards make the hidden part of a hand fit what it shows
    (C9); where none is left hidden it is `check`.

    ``laid`` is the table with the shown cards open, ``right`` gives the right declarations of a
    whole hand (mask), ``among`` are the cards that the rest of the hand can be of. Those that make
    the least of a hand are tried first, and not more than `_TRIES` of them.
    """
    i = show.seat - 1
    if not laid.hidden[i]:
        check(tuple(right(laid.hands[i])), show.seat, show.yaku, show.cards, rulings=rulings)
        return
    unseen = sorted(
        cards.bits(among & ~(laid.seen | laid.sunk)),
        key=lambda card: (bool(card & _SLIPS), (card.bit_length() - 1) % 4),
    )
    due = show.yaku, show.cards
    for rest in map(sum, islice(combinations(unseen, laid.hidden[i]), _TRIES)):
        if any((one.yaku, one.cards) == due for one in right(laid.hands[i] | rest)):
            return
    raise Illegal(codes.SHOW_FALSE, seat=show.seat, yaku="+".join(show.yaku))
