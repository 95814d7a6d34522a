"""Description of 三人はちはち for the other parts of the library.

Included are rare events to simulate in addition to the yaku (`kafu.rules.play.wishes`).
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from random import Random
from typing import Any, Final

from kafu import cards
from kafu.cards import CRANE, CURTAIN, MOON, PHOENIX, RAIN_MAN
from kafu.notation.vocabulary import KAN
from kafu.rules import grades
from kafu.rules.description import Cell, Choice, Dealt, Grades, Ruleset
from kafu.rules.hachihachi import hands, year
from kafu.rules.hachihachi.machine import FIELD, Hachihachi
from kafu.rules.hachihachi.machine import HAND as HAND_SIZE
from kafu.rules.hachihachi.sheet import HachihachiSheet
from kafu.rules.house_rules import Preset, Words, parse_options
from kafu.rules.names import Name
from kafu.rules.play.wishes import (
    HAND,
    STOCK,
    Programme,
    Spec,
    Wish,
    Wishes,
    by_chance,
    even,
    tobikomi,
    two_yaku,
)
from kafu.rules.teyaku import NONE, pattern

#: Two brights of one grade, which make a 二代しばり (H1).
_TWO_BRIGHTS: Final = tuple(
    map(cards.letters, (RAIN_MAN | PHOENIX, CRANE | CURTAIN, CURTAIN | MOON, CRANE | MOON))
)
_BRIGHTS: Final = cards.letters(cards.BRIGHTS)
#: 赤短, and each of its ribbons with a chaff card of the same month.
_AKATAN: Final = cards.letters(cards.RED_POEMS)
_AKATAN_PAIRS: Final = "BC FG JK"
#: 四三 twice: a whole month with three cards of the next.
_SHISO: Final = "ABCDEFG"
_OTHER_SHISO: Final = "IJKLMNO"
#: 十一: six chaff cards and an animal.
_TOICHI: Final = "CKeOSWE"
#: Pairs worth 96 card points that make no yaku.
_MANY_POINTS: Final = "AC IK ce MO QS UW"


def many_points(random: Random) -> Spec:
    """Return a deal with enough points for 抜け, no captured yaku, and a hand of 十一."""
    return Spec({0: _MANY_POINTS}, {0: _TOICHI})


def _futahachi(random: Random) -> Spec:
    """Return a deal with 二八 and no captured yaku."""
    first, second, third = random.sample(range(3), 3)
    return Spec({first: "AB EF MN YZ cd gh kl op st", second: "IJ QR", third: "UV"})


def _sujuroku(random: Random) -> Spec:
    """Return a deal with 素十六."""
    first, second, third = random.sample(range(3), 3)
    chaff = "CD GH KL OP ST WX ab ef ij"
    return Spec({first: chaff, second: "AB MN UV gh", third: "EF IJ QR YZ cd"})


def _ribbons(random: Random) -> Spec:
    """Return a deal in which a player captures all ten ribbons, one by one."""
    return Spec({random.randrange(3): "AB EF IJ MN QR UV YZ gh kl qr"})


def _exempt(random: Random) -> Spec:
    """Return a deal in which the last two cards of the second player are hatto for the first."""
    # The first player captures two ribbons of 赤短 and two of 青短. The second, left with the third
    # of each, throws the red one, which the first captures with the curtain.
    played = {(1, HAND): "B", (4, HAND): "F", (7, HAND): "V", (10, HAND): "l"}
    hatto_cards = {(17, HAND): "J", (19, HAND): "I", (20, HAND): "h"}
    return Spec({0: "AB EF UV kl IJ"}, field="AEUk", forced={**played, **hatto_cards})


def _carried(random: Random) -> Spec:
    """Return a deal with two brights of one grade on the field: a 二代しばり arises."""
    return Spec(field=random.choice(_TWO_BRIGHTS))


def _two_shiso(random: Random) -> Spec:
    """Return a deal with two hands of 四三."""
    return Spec(held={0: _SHISO, 1: _OTHER_SHISO})


def _won_by(place: int, random: Random) -> Spec:
    """Return a deal in which a player makes 赤短 from the hand, in a small field.

    Nobody can throw a hatto card for it.
    """
    return Spec({place: _AKATAN_PAIRS}, {place: _AKATAN}, field="CGK", bare=_BRIGHTS)


def _early(random: Random) -> Spec:
    """Return a deal with a yaku made while hand cards are left."""
    return _won_by(random.randrange(3), random)


def _akatan_in_turn(month: int, dealer: int) -> Wish:
    """Return a month of a game won by the seats in turn, with 赤短."""
    place = (month % 3 + 1 - dealer) % 3
    return Wish("akatan in turn", partial(_won_by, place), goal="akatan", quiet=True)


#: Rare events shared with 八八.
DEALS: Final = (
    Wish("sohachi", even),
    Wish("futahachi", _futahachi),
    Wish("sujuroku", _sujuroku),
    Wish("nuke", many_points, shows=(0,)),
    Wish("tobikomi", tobikomi, shows=(0, 1, 2)),
    Wish("two brights", _carried),
    Wish("sage twice", partial(two_yaku, 3), words=("sage",) * 3),
    Wish("sage, then agari", partial(two_yaku, 3), words=("sage",)),
    Wish("called off", _early, words=("sage",), cancels=True),
)
#: Whole games of three players at the table.
GAMES: Final = (Programme("all equal", _akatan_in_turn),)
_OWN: Final = (
    Wish("menjo", _exempt, says={(17, HAND): "menjo"}),
    Wish("nimai", by_chance, says={(4, STOCK): "nimai"}),
    Wish("nimai with a yaku", partial(two_yaku, 3), words=("nimai",)),
    Wish("nine ribbons", _ribbons, words=("sage",) * 6),
    Wish("void-show", by_chance, false_show=True),
    Wish("two shiso", _two_shiso, shows=(0, 1)),
)


def wishes(rules: Any) -> Wishes:
    """Return the rare events to simulate, the same for all options."""
    return Wishes((*DEALS, *_OWN), GAMES)


def _judge(hand: int) -> Cell:
    """Return the row and column of a hand (mask) in the table of odds.

    Of equal chaff yaku the first counts, with all willow as chaff: 空素 before 光一, as the
    supplement (5) advises.
    """
    ids = (yaku for yaku, _, _ in hands.chaff_yaku(hand))
    best = max(ids, key=hands.CHAFF.__getitem__, default=NONE)
    return hands.count_yaku(hand) or NONE, best


def _key(hand: int) -> Hashable:
    """Return the properties of a hand that decide its yaku.

    The key also decides for the hand with further months: card counts, 立三本, the chaff yaku and
    its ribbons do not change.
    """
    chaff = tuple((yaku, ribbons.bit_count()) for yaku, _, ribbons in hands.chaff_yaku(hand))
    return count_key(hand), chaff


def count_key(hand: int) -> Hashable:
    """Return the properties on which the count yaku of a hand, also with further months, depend."""
    standing = sorted(map(hands.stands, hands.threes(hand)))
    return pattern(hand), tuple(standing)


_OPTIONS: Final = parse_options(
    "ba | grade | A=2倍・4倍/× 2, × 4; B=2倍・3倍/× 2, × 3; C=1.5倍・2倍/× 1.5, × 2;"
    " D=2倍・2倍/× 2, × 2; E=倍にしない/no effect;"
    " F=役ごとに1貫増・2貫増/+1, +2 kan a yaku"
    " | 大場と絶場 | Field grades: ōba, zetsuba",
    "etsunen | settlement | | 越年（二代しばりが残れば続ける）"
    " | Play on after December while a grade is carried",
)
_PRESETS: Final = (
    Preset(
        "document",
        Words("標準", "Standard"),
        Words(
            "大場は2倍、絶場は4倍。12か月で終わります。",
            "A large field (ōba) doubles payments, an absolute one (zetsuba) quadruples them. "
            "12 months.",
        ),
        {},
    ),
    Preset(
        "etsunen",
        Words("標準・越年あり", "Standard, with months after December"),
        Words(
            "12月の後も、二代しばりが残る間は続けます。",
            "Play goes on after December while a field grade is carried over.",
        ),
        {"etsunen": "yes"},
    ),
    Preset(
        "gentle",
        Words("ひかえめな倍率", "Gentle grades"),
        Words(
            "大場は1.5倍、絶場は2倍です。",
            "A large field (ōba) pays one and a half times, an absolute one (zetsuba) twice.",
        ),
        {"ba": "C"},
    ),
    Preset(
        "flat",
        Words("倍率なし", "Without grades"),
        Words(
            "場に光札があっても、得点は倍になりません。", "Brights on the field change no payment."
        ),
        {"ba": "E"},
    ),
)

HACHIHACHI: Final = Ruleset(
    id="hachihachi",
    name=Name("hachihachi", "三人はちはち", "sannin hachi-hachi", "eighty-eight for three"),
    seats=range(3, 4),
    hand=HAND_SIZE,
    field=FIELD,
    round=Hachihachi.round,
    dealer="胴",
    machine=lambda options, players: Hachihachi(options),
    kan=True,
    rest="点",
    final_unit=Hachihachi.unit,
    options=_OPTIONS,
    questions=tuple(_OPTIONS),
    presets=_PRESETS,
    houses={"hachihachi": {"ba": "A", "etsunen": "no"}},
    decisions={"agari": "あがり", "sage": "下げ", "menjo": "免除", "nimai": "二枚めくり"},
    choice=Choice("sage", "agari"),
    hatto=True,
    card_points=cards.points,
    dealt=Dealt(
        rows={yaku: KAN * kan for yaku, kan in hands.COUNT.items()},
        columns={yaku: KAN * kan for yaku, kan in hands.CHAFF.items()},
        judge=_judge,
        key=_key,
        named=hands.chaff_yaku,
    ),
    grades=Grades(
        {bound: bound for bound in grades.BOUNDS}, grades.grade, lambda bound: bound, extends=True
    ),
    special=(*year.SPECIALS, "tobikomi", "nuke"),
    sheet=lambda options, players: HachihachiSheet(options),
    settlement=lambda game: year.steps(game.totals, game.stones, game.dealer, game.shiso),
    wishes=wishes,
)
