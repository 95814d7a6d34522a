"""The description of the 10/5/1 game for the other parts of the library."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any, Final

from kafu import cards
from kafu.notation.vocabulary import MAX_DEALS, YES_NO, Values
from kafu.rules.description import Cell, Dealt, Ruleset
from kafu.rules.names import Name
from kafu.rules.play.at_end import FIELD, HAND
from kafu.rules.play.wishes import Wish, Wishes, by_chance, tobikomi
from kafu.rules.ten_five_one.machine import NASAKE, TEYAKU, House, TenFiveOne, points
from kafu.rules.ten_five_one.sheet import TenFiveOneSheet
from kafu.rules.teyaku import NONE, WITH_RAIN, in_house, pattern


@cache
def _house() -> House:
    """Return a house with every dealt-hand yaku."""
    return House({row.id: "yes" for row in TEYAKU} | {"teshi": "all", "nasake": "all"})


def _judge(hand: int) -> Cell:
    """Return the yaku of a hand for odds, in a house with every dealt-hand yaku (T5).

    The column is なさけ, `WITH_RAIN` for なさけ only with willow (of 胴二), or `NONE`.
    """
    row = _house().count_yaku(hand, doni=False)
    plain, rain = (_house().has_slips(hand, doni=doni, chosen=False) for doni in (False, True))
    return row.id if row else NONE, "nasake" if plain else WITH_RAIN if rain else NONE


def _key(hand: int) -> Hashable:
    """Return the pattern and the numbers of ribbons and willow, on which all yaku depend."""
    willow = hand & cards.WILLOW & ~cards.SLIPS
    return pattern(hand), (hand & cards.SLIPS).bit_count(), willow.bit_count()


def _in_house(machine: TenFiveOne, yaku: str, doni: bool) -> str:
    """Return the yaku that a house pays for hands of a row or column of the odds (T5).

    ``doni``: the hand of 胴二, who in a house of ``chosen-doni`` was forced in.
    """
    house = machine.house
    if yaku not in ("nasake", WITH_RAIN):
        return in_house(TEYAKU, house.count_rows(doni=doni), yaku)
    is_played = house.may_show_nasake(doni=doni, chosen=doni)
    has_slips = yaku == "nasake" or house.counts_willow(doni=doni)
    return "nasake" if is_played and has_slips else NONE


#: Some yaku are for ビキ (T6) or by default for 胴二 (T5) alone: places 2 and 1.
_WISHES: Final = Wishes(
    (
        Wish("tobikomi", tobikomi, shows=(0, 1, 2)),
        Wish("swaps", by_chance, swaps=True),
    ),
    captures=2,
    shows=(1,),
)


def _wishes(machine: Any) -> Wishes:
    """Return the rare events to be simulated, the same for all options."""
    return _WISHES


TEN_FIVE_ONE: Final = Ruleset(
    id="ten-five-one",
    name=Name("ten-five-one", "10/5/1", "ten-five-one", "the ten, five and one point game"),
    seats=range(3, 8),
    hand=HAND,
    field=FIELD,
    round=TenFiveOne.round,
    machine=TenFiveOne,
    sheet=TenFiveOneSheet,
    options={
        "months": Values(low=1, high=MAX_DEALS),
        "tobikomi": YES_NO,
        "nasake": Values("doni", "chosen-doni", "all", "all-rain", "no"),
        "kuttsuki": YES_NO,
        "teshi": Values("no", "doni", "all"),
        "futasanbon": YES_NO,
        "haneken": YES_NO,
        "ichinishi": YES_NO,
        "shiso": Values("yes", "no", "ends"),
        "kaburi": YES_NO,
    },
    houses={
        "ten-five-one": {
            "months": "12",
            "tobikomi": "no",
            "nasake": "doni",
            "kuttsuki": "no",
            "teshi": "no",
            "futasanbon": "no",
            "haneken": "no",
            "ichinishi": "no",
            "shiso": "no",
            "kaburi": "yes",
        }
    },
    card_points=points,
    dealt=Dealt(
        rows={row.id: row.value for row in TEYAKU},
        columns={"nasake": NASAKE, WITH_RAIN: NASAKE},
        judge=_judge,
        key=_key,
        in_house=_in_house,
        alone=TEYAKU,
    ),
    columns=1,
    wishes=_wishes,
)
