"""The 10/5/1 game: its page, from the tables of `kafu.rules.ten_five_one.machine`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafu import cards
from kafu.cards import SLIPS
from kafu.notation.vocabulary import RULES, YES_NO
from kafu.rules.play.at_end import FIELD, HAND
from kafu.rules.ten_five_one.machine import (
    FIVES,
    NASAKE,
    PAR,
    TENS,
    TEYAKU,
    TOBIKOMI,
    WITH_BLANK,
    YAKU,
    House,
    TenFiveOne,
)
from kafu.rules.ten_five_one.machine import points as counted
from records.pages.rulebook import common, tables
from records.pages.rulebook.outline import Cards, Note, Page, RuleEntry, RuleOption, Section, note
from records.pages.rulebook.tables import points
from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

_ID: Final = "ten-five-one"
_DEFAULT: Final = TenFiveOne({}, RULES[_ID].seats[0])
#: A house that plays every dealt-hand yaku.
_ALL: Final = House({row.id: "yes" for row in TEYAKU} | {"nasake": "all", "teshi": "all"})
_NASAKE_HAND: Final = "BCJRWfm"

RULINGS: Final[Mapping[str, Text]] = {
    "T1": _(
        "Curtain, phoenix and the dregs are ten points each; the other brights and the animals "
        "five; the slips one."
    ),
    "T2": _(
        "With a four on the dealt field, the same dealer deals again. A three lies as one pile, "
        "and whoever matches it captures all of it."
    ),
    "T3": _(
        "With four or more players each says whether they go in, without fees; hands of those who "
        "are out go into the draw pile. With seven a blank card is dealt too: its holder is out, "
        "and their other six cards are the field."
    ),
    "T4": _(
        "Before looking, any player but the dealer may once exchange their hand for the one that "
        "the dealer was dealt, whoever holds it now."
    ),
    "T5": _(
        "Of the yaku by count only the best that the house plays is shown, with nasake in "
        "addition. The cards of the yaku are laid open, and they are paid in captured points at "
        "the end."
    ),
    "T6": _(
        "A kaburi does not count together with its zoro, and those of willow are only for biki."
    ),
    "T7": _(
        "The deduction goes by play order among the three who are in; players who are out score "
        "nothing. The highest score at the table deals next; in a tie the nearer to the dealer, "
        "the dealer first."
    ),
}
_DEALT: Final[Mapping[str, Text]] = {
    "shiso": _("All four of a month and three of another."),
    "ichinishi": _("All four of a month and a pair."),
    "haneken": _("Three of a month and two pairs."),
    "futasanbon": _("Two threes."),
    "teshi": _("All four of a month."),
    "kuttsuki": _("Three pairs."),
    "sanbon": _("Three of a month."),
}


def _dealt() -> Iterator[RuleEntry]:
    for row in TEYAKU:
        hand = tables.example(row.patterns[-1])
        found = _ALL.declarations(cards.mask(hand), doni=False, chosen=False)
        laid = next(one.cards for one in found if one.yaku == (row.id,))
        more = [note(_DEALT[row.id], "T5")]
        if row.id == "sanbon":
            jumped = _(
                "With the option tobikomi %(more)s more if its player captures all four of "
                "the month.",
                more=points(TOBIKOMI),
            )
            more.append(note(jumped, "T5"))
        else:
            more.append(note(_("By option.")))
        yield RuleEntry(row.id, points(row.value), tables.opened(hand, laid), tuple(more))
    found = _ALL.declarations(cards.mask(_NASAKE_HAND), doni=False, chosen=False)
    laid = next(one.cards for one in found if one.yaku == ("nasake",))
    text = _(
        "Three or more slips. By the option nasake it is for dōni alone or for all, and willow "
        "may stand for slips."
    )
    yield RuleEntry(
        "nasake", points(NASAKE), tables.opened(_NASAKE_HAND, laid), (note(text, "T5"),)
    )


def _count() -> RuleEntry:
    entries = tuple(
        Cards(cards.letters(group), points(counted(group) // group.bit_count()))
        for group in (TENS, FIVES, SLIPS)
    )
    whole = _("%(all)s in all.", all=points(counted(cards.ALL)))
    return RuleEntry("points", None, entries, (note(whole, "T1"),))


def _captured_notes() -> dict[str, tuple[Note, ...]]:
    biki = note(_("For biki only."), "T6")
    kaburi = note(_("By option."))
    rows: dict[str, tuple[Note, ...]] = {
        "amezoro": (biki,),
        "bozukaburi": (kaburi,),
        "amekaburi": (biki, kaburi),
    }
    return rows


def _deal_section() -> Section:
    return Section(
        "deal",
        common.DEAL,
        (
            common.first_dealer(),
            note(
                _(
                    "With four of a month on the field the cards are dealt again. Three of a "
                    "month lie as one pile."
                ),
                "T2",
            ),
            note(
                _(
                    "Before looking at their hand, a player may exchange it for the dealer's"
                    " (親手をもらう)."
                ),
                "T4",
            ),
            note(
                _(
                    "With %(four)d players or more three go in and the others out, without fees.",
                    four=RULES[_ID].seats[0] + 1,
                ),
                "T3",
            ),
            note(
                _(
                    "With %(seven)d players a blank card is dealt as well: its holder is out "
                    "and lays down the field.",
                    seven=WITH_BLANK,
                ),
                "T3",
            ),
        ),
    )


def _dealt_section() -> Section:
    return Section(
        "dealt",
        _("Dealt-hand yaku (手役)"),
        (
            note(
                _(
                    "Shown before the first turn; at the end each of the other two gives "
                    "captured points for it."
                ),
                "T5",
            ),
        ),
        tuple(_dealt()),
    )


def _captured_section() -> Section:
    return Section(
        "captured",
        _("Captured yaku (出来役)"),
        (
            note(
                _("Counted when all hands are played out, and paid by each of the other two."), "T6"
            ),
        ),
        tables.captured(YAKU, points, {"over": "T6"}, _captured_notes()),
    )


def _end_section() -> Section:
    dealer, doni, biki = PAR
    return Section(
        "end",
        _("How a month ends"),
        (
            note(
                _(
                    "Each of the three scores their captured points and yaku less %(dealer)d for "
                    "the first in play order, %(doni)d for the second, %(biki)d for the last.",
                    dealer=dealer,
                    doni=doni,
                    biki=biki,
                ),
                "T7",
                "C1",
            ),
            note(_("The player who scored most deals next."), "T7"),
        ),
        (_count(),),
    )


def _options() -> Iterator[RuleOption]:
    def option(name: str, default: object, text: Text, ruling: str = "T5") -> RuleOption:
        return tables.option(_ID, {name: str(default)}, note(text, ruling))

    house = _DEFAULT.house
    yield option("months", _DEFAULT.months, _("How many months are played."), "T7")
    yield option(
        "tobikomi",
        tables.yes(_DEFAULT.tobikomi),
        _("Whether sanbon is worth more if all four are captured."),
    )
    yield option(
        "nasake",
        house.nasake,
        _(
            "Who may show nasake: doni: only dōni, with willow for slips; chosen-doni: "
            "only a dōni who did not choose to go in; all: everyone, willow for dōni "
            "alone; all-rain: everyone with willow; no: nobody."
        ),
    )
    yield option("teshi", house.teshi, _("Who may show teshi: doni: only dōni."))
    played = {row.id for row in house.table}
    switches = [row.id for row in TEYAKU if RULES[_ID].options.get(row.id) == YES_NO]
    defaults = {name: tables.yes(name in played) for name in switches}
    yield tables.option(_ID, defaults, note(_("Whether this dealt-hand yaku is played."), "T5"))
    yield option(
        "shiso",
        tables.yes("shiso" in played),
        _(
            "Whether shisō is played; ends: its points are the only score of the deal, the game "
            "ends with it, and its player is the first whatever the sums."
        ),
    )
    kaburi = any(row.id == "bozukaburi" for row in _DEFAULT.captured_yaku)
    yield option("kaburi", tables.yes(kaburi), _("Whether the two-card yaku are played."), "T6")


PAGES: Final = (
    Page(
        _ID,
        _ID,
        None,
        (
            note(
                _(
                    "Three of up to seven players match cards by month until their hands are "
                    "empty. Dregs are worth most; yaku are few, and most of them are up to the "
                    "house."
                )
            ),
        ),
        (
            (common.PLAYERS, tables.players(_ID)),
            *common.dealt(HAND, FIELD, _DEFAULT.months),
            (common.UNIT, _("points")),
        ),
        (
            _deal_section(),
            _dealt_section(),
            common.turn(note(_("A pile of three is taken as a whole."), "T2")),
            _captured_section(),
            _end_section(),
        ),
        tuple(_options()),
        RULINGS,
    ),
)
