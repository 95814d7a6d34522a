"""Declarations of dealt hands (手役): what every ruleset asks of one that is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from records import cards
from records.engine import codes
from records.engine.actions import Illegal


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
