"""Places of faults in a text: the line and column of the statement at fault."""

from __future__ import annotations

from dataclasses import replace

from kafu.notation.faults import OF_GAME, Fault, Spot
from kafu.notation.game import Game, Month, Place


def place_fault(fault: Fault, game: Game) -> Fault:
    """Return ``fault`` with its line and column in the text of ``game``.

    Both are None for a text without lines, such as JSON.
    """
    month = None if fault.deal is None else game.months[fault.deal - 1]
    places = (_find_place(spot, month, game) for spot in fault.where)
    line, column = next((place for place in places if place is not None), (None, None))
    return replace(fault, line=line, column=column)


def _find_place(spot: Spot, month: Month | None, game: Game) -> Place | None:
    if spot == OF_GAME:
        return game.line, 1
    if month is None:
        return None
    if isinstance(spot, str):
        return month.places.get(spot)
    index, part = spot
    turn = month.turns[index]
    return turn.place if part == 1 else getattr(turn, "place2", None)
