"""三人はちはち: its page, from the tables of `kafu.rules.hachihachi.machine` and its parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kafu.notation.vocabulary import KAN
from kafu.odds.exact import MONTHS
from kafu.rules.grades import SCALES, Scale
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi import hatto as hachihachi_hatto
from kafu.rules.hachihachi.ending import EVEN
from kafu.rules.hachihachi.hands import COUNT, DREGS, NUKE_KAN, TOBIKOMI
from kafu.rules.hachihachi.machine import FIELD, HAND, Hachihachi
from kafu.rules.hachihachi.state import YAKU
from kafu.rules.hachihachi.year import SHORT
from kafu.rules.names import GRADES
from records.pages.rulebook import common, tables
from records.pages.rulebook.hachihachi_rulings import RULINGS
from records.pages.rulebook.hachihachi_yaku import COUNT_NOTES, DREGS_NOTES, dealt, graded, specials
from records.pages.rulebook.outline import (
    Grid,
    Note,
    Page,
    RuleEntry,
    RuleOption,
    Section,
    note,
)
from records.pages.rulebook.tables import kan
from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

_ID: Final = "hachihachi"
_DEFAULT: Final = Hachihachi({})
_BA: Final = next(name for name, scales in SCALES.items() if scales is _DEFAULT.scales)
_MARKS: Final = {"tatesanbon": "H4", "tobikomi": "H15", "nuke": "H17"}


def _laid(hand: int, yaku: str) -> int:
    found = hachihachi_hands.declarations(hand)
    return next(one.cards for one in found if one.yaku == (yaku,))


def _captured_notes() -> dict[str, tuple[Note, ...]]:
    hatto = note(_("Hatto applies (法度適用)."), "H12")
    return dict.fromkeys(hachihachi_hatto.YAKU, (hatto,))


def _once() -> Iterator[RuleEntry]:
    tobikomi = _(
        "A player who declared a three captures all four cards of that month: paid at once."
    )
    nuke = _(
        "A player who declared aka, tan'ichi, tōichi or karasu has captured "
        "%(points)d points at the end.",
        points=EVEN + 1,
    )
    yield RuleEntry("tobikomi", kan(hachihachi_hatto.TOBIKOMI_KAN), notes=(note(tobikomi, "H15"),))
    yield RuleEntry("nuke", kan(NUKE_KAN), notes=(note(nuke, "H17"),))


def _factor(scale: Scale) -> Text:
    if scale.more:
        return _("+%(more)s", more=kan(scale.more))
    return _("×%(factor)s", factor=f"{scale.halves / 2:g}")


def _scales() -> Grid:
    names = tuple(GRADES[grade] for grade in SCALES[_BA])
    rows = ((name, *map(_factor, scales.values())) for name, scales in SCALES.items())
    return Grid(("ba", *names), tuple(rows))


def _deal_section() -> Section:
    return Section(
        "deal",
        common.DEAL,
        (
            common.first_dealer(),
            note(
                _("All four of a month on the field (shima, シマ) go to the dealer at once."), "H1"
            ),
        ),
    )


def _grade_section() -> Section:
    return Section(
        "grade",
        _("Field grade (場)"),
        (
            note(
                _(
                    "Brights on the dealt field raise what is paid in the month: either of the "
                    "first two makes it zetsuba, otherwise any of the other three makes it ōba. "
                    "Without brights it is koba."
                ),
                "H1",
            ),
            note(
                _(
                    "Two brights of the same grade carry that grade over to the next month "
                    "(nidai-shibari, 二代しばり), unless the field dealt then has a higher one."
                ),
                "H1",
            ),
            note(_("The option ba sets what each grade does."), "H18", "H23"),
        ),
        graded(),
        _scales(),
    )


def _dealt_section() -> Section:
    return Section(
        "dealt",
        _("Dealt-hand yaku (手役)"),
        (
            note(
                _(
                    "Declared before the first card, each is paid at once by both others, in "
                    "the month's grade. The cards named are laid open and stay so."
                ),
                "H3",
                "H5",
            ),
            note(
                _(
                    "A hand has at most one of the first %(count)d (by count) and one of the last "
                    "%(dregs)d (by dregs); both may be declared together and add up. Declaring is "
                    "optional.",
                    count=len(COUNT),
                    dregs=len(DREGS),
                ),
                "H2",
            ),
            note(_("Willow may count as dregs."), "H2"),
        ),
        (
            *dealt(COUNT, COUNT_NOTES, _laid, TOBIKOMI, marks=_MARKS),
            *dealt(DREGS, DREGS_NOTES, _laid, TOBIKOMI, marks=_MARKS),
        ),
    )


def _captured_section() -> Section:
    return Section(
        "captured",
        _("Captured yaku (出来役)"),
        (
            note(
                _(
                    "Judged at the end of a turn. With a new yaku you say agari, which ends "
                    "the month and is paid in full by each of the others, or sage, and play on "
                    "for another."
                ),
                "H7",
                "H9",
            ),
            note(
                _(
                    "On the last card of the hand, or while another is in sage, only agari is "
                    "possible."
                ),
                "H7",
            ),
        ),
        tables.captured(YAKU, kan, {"step": "H8", "over": "H8"}, _captured_notes()),
    )


def _sage_section() -> Section:
    return Section(
        "sage",
        _("Sage and hatto"),
        (
            note(
                _(
                    "A player in sage pays alone for a yaku that another completes meanwhile. "
                    "Their own yaku are paid in full only if they make a new one and stop; any "
                    "other end pays half."
                ),
                "H9",
                "H11",
            ),
            note(
                _("They may cancel it (torikeshi, 下げの取消し) after any later turn, for half."),
                "H10",
            ),
            note(
                _(
                    "A player who plays from the hand, without capturing, the very card that "
                    "another lacks, or the only card left to capture it with, pays both shares if "
                    "the other completes the yaku with it."
                ),
                "H12",
                "H13",
            ),
            note(
                _(
                    "The last card of a hand is exempt. If claimed (menjo, 免除), so is a hand of "
                    "nothing but hatto cards, provided the cheapest is played first."
                ),
                "H14",
                "H25",
            ),
        ),
    )


def _special_section() -> Section:
    return Section(
        "special",
        _("Special yaku (特殊役)"),
        (
            note(
                _(
                    "The first three count when the hands are played out, nobody has a captured "
                    "yaku and nobody is in sage. They strike out what was paid for dealt-hand "
                    "yaku (fukikeshi, 吹き消し), and card points are not paid."
                ),
                "H16",
                "H23",
            ),
        ),
        (*specials("H16"), *_once()),
    )


def _end_section() -> Section:
    return Section(
        "end",
        _("How a month ends"),
        (
            note(common.card_points()),
            note(
                _(
                    "If the hands are played out and no yaku was made, each player is paid for "
                    "captured points above %(even)d, or pays for those missing, times the grade.",
                    even=EVEN,
                ),
                "H17",
                "H18",
            ),
            note(
                _(
                    "Shisō ends the year at once: all dealt-hand yaku are paid, and its player "
                    "takes the prize and the month stones."
                ),
                "H6",
            ),
            note(
                _("The month's winner deals next and puts one point into the month board."), "H19"
            ),
            note(
                _(
                    "Misdeals, wrongly matched cards, two cards turned at once and false "
                    "declarations have rules of their own."
                ),
                "H22",
            ),
        ),
    )


def _settlement_section() -> Section:
    return Section(
        "settlement",
        _("Settlement of the year"),
        (
            note(
                _(
                    "The lowest takes the month board. Everybody is charged %(short)s; all but "
                    "the top are rounded down to whole kan, and the top takes what makes the sum "
                    "zero: the prize.",
                    short=kan(SHORT // KAN),
                ),
                "H20",
            ),
            note(_("Score sheets of the year are checked by the same rules."), "H24"),
        ),
    )


def _options() -> Iterator[RuleOption]:
    ba = note(_("How field grades change values: the table of field grades in the rules."), "H18")
    yield tables.option(_ID, {"ba": _BA}, ba)
    etsunen = note(
        _("Whether play goes on after the last month while a grade is carried over."), "H21"
    )
    yield tables.option(_ID, {"etsunen": tables.yes(_DEFAULT.etsunen)}, etsunen)


PAGES: Final = (
    Page(
        _ID,
        _ID,
        None,
        (
            note(
                _(
                    "Three players match cards by month, and each month is paid at once: "
                    "dealt-hand yaku before the first card, captured yaku when their player "
                    "stops, otherwise card points above or below the mean. Brights on the field "
                    "double or quadruple all of it."
                )
            ),
        ),
        (
            (common.PLAYERS, _("three")),
            *common.dealt(HAND, FIELD, MONTHS),
            (common.UNIT, _("points; %(points)d are a kan (貫)", points=KAN)),
        ),
        (
            _deal_section(),
            _grade_section(),
            _dealt_section(),
            common.turn(),
            _captured_section(),
            _sage_section(),
            _special_section(),
            _end_section(),
            _settlement_section(),
        ),
        tuple(_options()),
        RULINGS,
    ),
)
