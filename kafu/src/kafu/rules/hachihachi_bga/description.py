"""Description of 八八 for three to six players for the rest of the library."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules import grades
from kafu.rules.description import Cell, Choice, Dealt, Played, Ruleset, Steps
from kafu.rules.hachihachi.description import count_key
from kafu.rules.hachihachi.hands import CHAFF
from kafu.rules.hachihachi.payments import NUKE, SPECIAL_ROWS, TOBIKOMI
from kafu.rules.hachihachi_bga.hands import COUNT, HAND, declaration
from kafu.rules.hachihachi_bga.house import HOUSE_RULES, HachihachiBgaHouse, read_house
from kafu.rules.hachihachi_bga.machine import FIELD, HachihachiBga
from kafu.rules.hachihachi_bga.pay import settle
from kafu.rules.hachihachi_bga.payments import list_payments
from kafu.rules.hachihachi_bga.policy import WEIGHTS
from kafu.rules.hachihachi_bga.sheet import HachihachiBgaSheet
from kafu.rules.hachihachi_bga.state import PLAIN, YAKU
from kafu.rules.house_rules import Preset, Words, read_options
from kafu.rules.names import Name
from kafu.rules.teyaku import NONE


def _judge(hand: int) -> Cell:
    """Return the row and column of a hand (mask) in the table of odds, willow as chaff (B6)."""
    valid = declaration(hand)
    ids = valid.yaku if valid else ()
    chaff = next((yaku for yaku in ids if yaku in CHAFF), NONE)
    return next((yaku for yaku in ids if yaku not in CHAFF), NONE), chaff


def _key(hand: int) -> Hashable:
    """Return the properties of a hand that decide its yaku."""
    kinds = (cards.BRIGHTS, cards.ANIMALS, cards.RIBBONS)
    return count_key(hand), *((hand & ~PLAIN & kind).bit_count() for kind in kinds)


def _settlement(game: Played) -> Steps:
    """Yield the settlement: starting debts, the month card to the lowest, the prize (B1, B15)."""
    options = read_house(game.options)
    start = (-KAN * options.start_kan,) * len(game.totals)
    yield "start", start
    totals = tuple(map(sum, zip(game.totals, start, strict=True)))
    if options.tsukifuda:
        card = tuple(map(int.__sub__, settle(totals, 0, game.stones), totals))
        yield "card", card
        totals = tuple(map(sum, zip(totals, card, strict=True)))
    yield "prize", tuple(map(int.__sub__, game.final, totals))


_PAYMENTS: Final = list_payments(HachihachiBgaHouse())
_PRESETS: Final = (
    Preset(
        "year",
        Words("1年", "A year"),
        Words(
            "12か月、−5貫から始めます。Board Game Arenaと同じ。",
            "12 months. Everybody begins with −5 kan, as on Board Game Arena.",
        ),
        {},
    ),
    Preset(
        "half-year",
        Words("半年", "Half a year"),
        Words("6か月、−3貫から始めます。", "6 months. Everybody begins with −3 kan."),
        {"months": "6"},
    ),
    Preset(
        "full",
        Words("取り決めを全て採用", "With every rule of the document"),
        Words(
            "越年、下げの取消し、飛込みの法度、月札があります。四三で対局が終わります。",
            "Months after December, cancelling sage, hatto for tobikomi, a mon a month to the "
            "lowest. Four and three (shisō) ends the game.",
        ),
        {
            "etsunen": "yes",
            "torikeshi": "yes",
            "tobikomi-hatto": "yes",
            "tsukifuda": "yes",
            "shiso": "ends",
        },
    ),
)

HACHIHACHI_BGA: Final = Ruleset(
    id="hachihachi-bga",
    name=Name("hachihachi-bga", "八八", "hachi-hachi", "eighty-eight for three to six"),
    seats=range(3, 7),
    hand=HAND,
    field=FIELD,
    round=HachihachiBga.round,
    machine=HachihachiBga,
    sheet=HachihachiBgaSheet,
    mon=True,
    kan=True,
    mon_above_zero=True,
    rest="文",
    options={id: rule.option for id, rule in HOUSE_RULES.items()},
    questions=tuple(HOUSE_RULES),
    presets=_PRESETS,
    houses={"hachihachi-bga": read_options(HOUSE_RULES, HachihachiBgaHouse())},
    decisions={"agari": "あがり", "sage": "下げ"},
    choice=Choice("sage", "agari"),
    hatto=True,
    special=tuple(row.id for row in (*SPECIAL_ROWS, TOBIKOMI, NUKE)),
    card_points=cards.points,
    dealt=Dealt(
        rows={id: _PAYMENTS.find_each(id) for id in COUNT},
        columns={id: _PAYMENTS.find_each(id) for id in CHAFF},
        judge=_judge,
        key=_key,
        held=YAKU,
        alike=(
            cards.RED_POEMS,
            cards.BLUE_RIBBONS,
            cards.PLAIN_RIBBONS & ~PLAIN,
            cards.DRY_BRIGHTS,
            cards.RAIN_MAN,
        ),
    ),
    grades=grades.BRIGHT_GRADES,
    settlement=_settlement,
    policy=lambda machine: WEIGHTS,
)
