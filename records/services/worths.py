"""The values of the legal moves at a position, as of the choices of an analysis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from kafu.analysis.choices import (
    HAND,
    SAY,
    STOCK,
    analyse,
    default_effort,
    find_choices,
    format_option,
)
from kafu.editing import changes
from kafu.editing.table_at import Walked
from kafu.judging.position import Option
from records.shapes.positions import Worth

#: Maximum number of deals for a comparison: a response takes some 0.1 s of a core.
_DEALS: Final = 200
#: Simulated games for chances to win, which a response does not have.
_GAMES: Final = 8
#: The beginnings of actions in Kafu by kind of choice; other kinds have no values.
_PREFIXES: Final = {HAND: "", STOCK: "/", SAY: "="}


def find_worths(walked: Walked, at: tuple[int, int], moves: Sequence[Option]) -> dict[str, Worth]:
    """Return the values of the moves after the last step of a record, by their ``do``.

    Return an empty dict without a choice between cards or words, and if the analysis cannot tell
    the hidden cards. A word that may be said besides has no value.
    """
    written = [move.written for move in moves if move.kind in _PREFIXES]
    if len(written) < 2:
        return {}
    game = changes.put(walked, *at, written[0]).game
    for point in find_choices(game):
        prefix = _PREFIXES.get(point.kind)
        played = point.actions[point.played]
        is_next = point.deal == at[0] and point.step > at[1]
        if is_next and prefix is not None and f"{prefix}{format_option(played)}" == written[0]:
            effort = default_effort(game.rules, _DEALS)._replace(games=_GAMES)
            ((_point, value),) = analyse(game, [point], effort=effort)
            return {
                f"{prefix}{format_option(option.action)}": Worth(option.mean, option.error)
                for option in (value.options if value else ())
            }
    return {}
