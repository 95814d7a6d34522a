"""Rare events of 八八 to simulate, apart from its yaku (`kafu.rules.play.wishes`)."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from kafu.rules.hachihachi.wishes import DEALS, GAMES, many_points
from kafu.rules.play.wishes import Wish, Wishes, two_yaku

_SILENT: Final = Wish("silent sage", partial(two_yaku, 3), words=("sage",) * 3, silent=True)
#: With bids.
_BLIND: Final = Wish("mizuten", many_points, blind=True)


def wishes(rules: Any) -> Wishes:
    """By the number of players at the table."""
    if rules.players == 3:
        return Wishes((*DEALS, _SILENT), GAMES)
    return Wishes((*DEALS, _SILENT, _BLIND))
