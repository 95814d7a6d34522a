"""Description of 三人はちはち for the other parts of the library."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from kafu import cards
from kafu.notation.vocabulary import KAN
from kafu.rules import grades
from kafu.rules.description import Cell, Choice, Dealt, Ruleset
from kafu.rules.hachihachi import hands, year
from kafu.rules.hachihachi.machine import FIELD, HAND, Hachihachi
from kafu.rules.hachihachi.payments import NUKE, PAYMENTS, SPECIAL_ROWS, TOBIKOMI
from kafu.rules.hachihachi.policy import WEIGHTS
from kafu.rules.hachihachi.sheet import HachihachiSheet
from kafu.rules.house_rules import Preset, Words, parse_options
from kafu.rules.names import Name
from kafu.rules.teyaku import NONE, pattern


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
    hand=HAND,
    field=FIELD,
    round=Hachihachi.round,
    dealer="胴",
    machine=lambda options, players: Hachihachi(options),
    kan=True,
    rest="点",
    final_unit=KAN,
    options=_OPTIONS,
    questions=tuple(_OPTIONS),
    presets=_PRESETS,
    houses={"hachihachi": {"ba": "A", "etsunen": "no"}},
    decisions={"agari": "あがり", "sage": "下げ", "menjo": "免除", "nimai": "二枚めくり"},
    choice=Choice("sage", "agari"),
    hatto=True,
    card_points=cards.points,
    dealt=Dealt(
        rows={id: PAYMENTS.find_each(id) for id in hands.COUNT},
        columns={id: PAYMENTS.find_each(id) for id in hands.CHAFF},
        judge=_judge,
        key=_key,
        named=hands.chaff_yaku,
    ),
    grades=grades.BOUND_GRADES,
    special=tuple(row.id for row in (*SPECIAL_ROWS, TOBIKOMI, NUKE)),
    sheet=lambda options, players: HachihachiSheet(options),
    settlement=lambda game: year.steps(game.totals, game.stones, game.dealer, game.shiso),
    policy=lambda machine: WEIGHTS,
)
