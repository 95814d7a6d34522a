"""Turns in a form for playing: cards as masks. A text in canonical form is read into these."""

from __future__ import annotations

from typing import final


@final
class Move:
    """A turn as `kafu.notation.game.Turn` has it, for playing; not to be changed.

    ``card`` is the hand card and ``take`` what it captured, as masks (`kafu.cards.BIT`), ``say1``
    the decisions after it; ``drawn``, ``take2`` and ``say`` are the same of the stock card, with
    ``drawn`` 0 if none was turned. ``seat`` is the one written before the turn.
    """

    __slots__ = ("card", "drawn", "say", "say1", "seat", "take", "take2")

    def __init__(
        self,
        card: int,
        take: int,
        say1: tuple[str, ...],
        drawn: int,
        take2: int,
        say: tuple[str, ...],
        seat: int | None = None,
    ) -> None:
        self.card = card
        self.take = take
        self.say1 = say1
        self.drawn = drawn
        self.take2 = take2
        self.say = say
        self.seat = seat
