"""Rare events of ten-five-one to simulate, apart from its yaku (`kafu.rules.play.wishes`)."""

from __future__ import annotations

from typing import Any, Final

from kafu.rules.play.wishes import Wish, Wishes, by_chance, tobikomi

#: 雨ゾロ and the like are ビキ's only (T6), なさけ by default 胴二's (T5).
_WISHES: Final = Wishes(
    (
        Wish("tobikomi", tobikomi, shows=(0, 1, 2)),
        Wish("swaps", by_chance, swaps=True),
    ),
    captures=2,
    shows=(1,),
)


def wishes(rules: Any) -> Wishes:
    """The same by all its options."""
    return _WISHES
