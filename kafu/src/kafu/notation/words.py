"""People's words about a game, apart from its moves and claims."""

from __future__ import annotations

from copy import deepcopy
from typing import Final

from kafu.notation.game import Game

#: Tags that describe what a record is, in words of the notation, not of people.
_OF_RECORD: Final = ("Sheet", "Termination")


def with_words_of(game: Game, other: Game) -> Game:
    """A copy of a game with the comments and the tags of another record of the same game.

    Moves, claims, and whether and how it ended early stay. Both games have the same identity, hence
    the same months and turns. A comment at a claim that ``game`` lacks is lost.
    """
    merged = deepcopy(game)
    merged.tags = {name: value for name, value in other.tags.items() if name not in _OF_RECORD}
    merged.tags |= {name: game.tags[name] for name in _OF_RECORD if name in game.tags}
    merged.notes = deepcopy(other.notes)
    for month, its in zip(merged.months, other.months, strict=True):
        month.notes = deepcopy(its.notes)
        for turn, same_turn in zip(month.turns, its.turns, strict=True):
            turn.comments = list(same_turn.comments)
    return merged
