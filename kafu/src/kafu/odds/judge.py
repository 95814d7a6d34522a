"""In which row and column of `kafu.odds.exact.Hands.matrix` a dealt hand stands.

A row is a yaku by count, a column one of the dregs family (なさけ in the 10/5/1 game), `NONE` for
none. House options do not matter: every yaku that a house may play counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from kafu.rules import teyaku
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi import machine as hachihachi
from kafu.rules.hachihachi_bga import hands as hachihachi_bga_hands
from kafu.rules.hanaawase import machine as hanaawase
from kafu.rules.koikoi import machine as koikoi
from kafu.rules.koikoi.profiles import TEYAKU
from kafu.rules.play import at_end
from kafu.rules.ten_five_one import machine as ten_five_one

#: No yaku (なし), as a row or a column.
NONE: Final = "nashi"
#: なさけ of slips that only willow makes three, of those who may count it (T5).
WITH_RAIN: Final = "nasake-ame"

Cell = tuple[str, str]


class Dealt(NamedTuple):
    """The dealt hands of a ruleset: how many cards, and what judges one (mask)."""

    size: int
    judge: Callable[[int], Cell]


def _hachihachi(hand: int) -> Cell:
    values = hachihachi_hands.DREGS
    open_to = (yaku for yaku, _, _ in hachihachi_hands.dregs_yaku(hand))
    # Of equals the first, all willow as dregs: 空素 before 光一, as the supplement (5) advises.
    best = max(open_to, key=values.__getitem__, default=NONE)
    return hachihachi_hands.count_yaku(hand) or NONE, best


def _koikoi(hand: int) -> Cell:
    yaku = teyaku.find(TEYAKU, hand)
    return yaku.id if yaku else NONE, NONE


def _bga(hand: int) -> Cell:
    """The row and column of a hand, all willow being dregs (B6)."""
    found = hachihachi_bga_hands.declaration(hand)
    named, families = found.yaku if found else (), hachihachi_hands.DREGS
    dregs = next((yaku for yaku in named if yaku in families), NONE)
    return next((yaku for yaku in named if yaku not in families), NONE), dregs


def _hanaawase(hand: int) -> Cell:
    """Of a hand with two yaku one is declared; 4-2-1 may be either of two, and is the first
    (A1).
    """
    named = [one.yaku[0] for one in hanaawase.declarations(hand)]
    row = next((yaku for yaku in named if yaku not in hanaawase.VALUES), NONE)
    return row, next((yaku for yaku in named if yaku in hanaawase.VALUES), NONE)


_HOUSE: Final = ten_five_one.House(
    {row.id: "yes" for row in ten_five_one.TEYAKU} | {"teshi": "all", "nasake": "all"}
)


def _ten_five_one(hand: int) -> Cell:
    """With every house yaku played: なさけ for everybody, and what willow adds for 胴二 (T5)."""
    row = _HOUSE.count_yaku(hand, doni=False)
    plain, rain = (_HOUSE.slips(hand, doni=doni, chosen=False) for doni in (False, True))
    return row.id if row else NONE, "nasake" if plain else WITH_RAIN if rain else NONE


#: By the ruleset's id.
DEALT: Final[Mapping[str, Dealt]] = {
    "hachihachi": Dealt(hachihachi.HAND, _hachihachi),
    "koikoi": Dealt(koikoi.HAND, _koikoi),
    "hachihachi-bga": Dealt(hachihachi_bga_hands.HAND, _bga),
    "hanaawase": Dealt(at_end.HAND, _hanaawase),
    "ten-five-one": Dealt(at_end.HAND, _ten_five_one),
}
