"""The description of the 10/5/1 game for the other parts of the library."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import MAX_DEALS
from kafu.rules.description import Cell, Dealt, Ruleset
from kafu.rules.house_rules import Preset, Words, parse_options, yaku_words
from kafu.rules.names import Name
from kafu.rules.play.at_end import FIELD, HAND
from kafu.rules.ten_five_one.machine import TenFiveOne, TenFiveOneHouse, points
from kafu.rules.ten_five_one.payments import NASAKE, TEYAKU
from kafu.rules.ten_five_one.policy import WEIGHTS
from kafu.rules.ten_five_one.sheet import TenFiveOneSheet
from kafu.rules.teyaku import NONE, WITH_RAIN, in_house, pattern


@cache
def _house() -> TenFiveOneHouse:
    """Return a house with every dealt-hand yaku."""
    return TenFiveOneHouse({row.id: "yes" for row in TEYAKU} | {"teshi": "all", "nasake": "all"})


def _judge(hand: int) -> Cell:
    """Return the yaku of a hand for odds, in a house with every dealt-hand yaku (T5).

    The column is なさけ, `WITH_RAIN` for なさけ only with willow (of 胴二), or `NONE`.
    """
    row = _house().count_yaku(hand, doni=False)
    plain, rain = (_house().has_ribbons(hand, doni=doni, chosen=False) for doni in (False, True))
    return row.id if row else NONE, "nasake" if plain else WITH_RAIN if rain else NONE


def _key(hand: int) -> Hashable:
    """Return the pattern and the numbers of ribbons and willow, on which all yaku depend."""
    willow = hand & cards.WILLOW & ~cards.RIBBONS
    return pattern(hand), (hand & cards.RIBBONS).bit_count(), willow.bit_count()


def _in_house(machine: TenFiveOne, yaku: str, doni: bool) -> str:
    """Return the yaku that a house pays for hands of a row or column of the odds (T5).

    ``doni``: the hand of 胴二, who in a house of ``chosen-doni`` was forced in.
    """
    house = machine.house
    if yaku not in ("nasake", WITH_RAIN):
        return in_house(TEYAKU, house.count_rows(doni=doni), yaku)
    is_played = house.may_show_nasake(doni=doni, chosen=doni)
    has_ribbons = yaku == "nasake" or house.counts_willow(doni=doni)
    return "nasake" if is_played and has_ribbons else NONE


def _switch_of(id: str) -> str:
    """Return the row of the option for whether a dealt-hand yaku is played."""
    ja, en = yaku_words(id)
    return f"{id} | dealt | | {ja} | {en}"


_TESHI, _SHISO = map(yaku_words, ("teshi", "shiso"))
_OPTIONS: Final = parse_options(
    f"months | end | 1…{MAX_DEALS} か月/months | 月数 | Length",
    "tobikomi | dealt | | 三本の飛び込み（4枚取れば10点増し）"
    " | Tobikomi: 10 points more for all four cards of a sanbon",
    "nasake | dealt | doni=胴二だけ（雨札可）/for dōni, with willow;"
    " chosen-doni=出された胴二だけ/for a dōni forced to go in;"
    " all=全員（雨札は胴二だけ）/for everyone, with willow for dōni;"
    " all-rain=全員（雨札可）/for everyone, with willow; no=なし/no"
    " | なさけ（タン3枚） | Nasake: three ribbons in the hand",
    _switch_of("kuttsuki"),
    "teshi | dealt | no=なし/no; doni=胴二だけ/for dōni; all=全員/for everyone"
    f" | {_TESHI.ja} | {_TESHI.en}",
    *map(_switch_of, ("futasanbon", "haneken", "ichinishi")),
    "shiso | dealt | yes=あり/yes; no=なし/no;"
    " ends=あり（対局が終わる）/yes, and it ends the game"
    f" | {_SHISO.ja} | {_SHISO.en}",
    "kaburi | captured | | 坊主かぶり・雨かぶり | Bōzu-kaburi and ame-kaburi",
)
_QUESTIONS: Final = ("months", "nasake", "tobikomi", "kuttsuki", "teshi", "kaburi")
_PRESETS: Final = (
    Preset(
        "first",
        Words("手役は三本となさけ", "Sanbon and nasake only"),
        Words(
            "なさけは胴二だけの役です。飛び込みはありません。",
            "Nasake (three ribbons) only for dōni, the player after the dealer. No tobikomi.",
        ),
        {},
    ),
    Preset(
        "more",
        Words("くっつきと手四も", "With kuttsuki and teshi"),
        Words(
            "三本の飛び込みがあります。なさけと手四は胴二だけの役です。",
            "With tobikomi. Nasake (three ribbons) and teshi (four of a month) only for dōni, the "
            "player after the dealer.",
        ),
        {"tobikomi": "yes", "kuttsuki": "yes", "teshi": "doni"},
    ),
    Preset(
        "all",
        Words("手役を全て", "All dealt-hand yaku"),
        Words(
            "二三本、はねけん、一二四、四三、飛び込みもあります。なさけと手四は全員の役です。",
            "Also futasanbon, haneken, ichinishi, shisō and tobikomi. Nasake and teshi are for "
            "everyone.",
        ),
        {
            "tobikomi": "yes",
            "nasake": "all",
            "kuttsuki": "yes",
            "teshi": "all",
            "futasanbon": "yes",
            "haneken": "yes",
            "ichinishi": "yes",
            "shiso": "yes",
        },
    ),
)

TEN_FIVE_ONE: Final = Ruleset(
    id="ten-five-one",
    name=Name("ten-five-one", "テン・ファイブ・ワン", "ten-five-one", "cards of ten, five and one"),
    seats=range(3, 8),
    hand=HAND,
    field=FIELD,
    round=TenFiveOne.round,
    machine=TenFiveOne,
    sheet=TenFiveOneSheet,
    options=_OPTIONS,
    questions=_QUESTIONS,
    presets=_PRESETS,
    houses={
        "ten-five-one": dict.fromkeys(_OPTIONS, "no")
        | {"months": "12", "nasake": "doni", "kaburi": "yes"}
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
    policy=lambda machine: WEIGHTS,
)
