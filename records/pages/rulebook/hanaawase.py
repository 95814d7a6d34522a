"""三人花合わせ: its page, from the tables of `kafu.rules.hanaawase.machine`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kafu import cards
from kafu.rules.hanaawase.machine import (
    AGAIN,
    DREGS,
    EVEN,
    FUKE,
    MONTHS,
    VALUES,
    YAKU,
    declarations,
    settle,
)
from kafu.rules.play.at_end import FIELD, HAND
from records.pages.rulebook import common, tables
from records.pages.rulebook.outline import Page, RuleEntry, Section, note
from records.pages.rulebook.tables import points
from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

_ID: Final = "hanaawase"
#: A hand of each dealt-hand yaku by dregs.
HANDS: Final[Mapping[str, str]] = {"rokkasu": "CGKOSWd", "shichikasu": "DHLPTXe"}

RULINGS: Final[Mapping[str, Text]] = {
    "A1": _(
        "Dregs are the 24 plain ones; willow's pictures never count as dregs. Showing six or "
        "seven dregs is optional. After a shown teshi or tsukisante the same dealer deals the "
        "month again; a hand of 4-2-1 may be called either. A hand that also makes a yaku of "
        "dregs declares one of the two."
    ),
    "A2": _(
        "Only the best of each exclusive group counts, as listed with each yaku; all else adds "
        "up. Six and seven slips are of all ten, willow included."
    ),
    "A3": _(
        "Fuke strikes out everything of the month, dealt-hand yaku too. Its player "
        "deals next; of two, the one nearer to biki."
    ),
    "A4": _(
        "Otherwise each yaku is paid by each of the others, and captured points "
        "count above or below the mean."
    ),
    "A5": _(
        "The player who scored most in the month, yaku included, deals next; in a tie the nearer "
        "to the dealer."
    ),
    "A6": _(
        "The year's prize is paid by rank; ties share as the document says, and "
        "three equal totals pay nothing."
    ),
}


def _prizes(*totals: int) -> tuple[str, ...]:
    """The year's settlement of such totals."""
    return tuple(f"{after - total:+d}" for after, total in zip(settle(totals), totals, strict=True))


def _dealt() -> Iterator[RuleEntry]:
    texts = {
        "rokkasu": _("Six cards of dregs, which are laid open."),
        "shichikasu": _("Dregs only, all laid open."),
    }
    for id in DREGS.values():
        hand = HANDS[id]
        laid = next(one.cards for one in declarations(cards.mask(hand)) if one.yaku == (id,))
        entry_note = note(texts[id], "A1")
        yield RuleEntry(id, points(VALUES[id]), tables.opened(hand, laid), (entry_note,))


def _deal_section() -> Section:
    return Section(
        "deal",
        common.DEAL,
        (
            common.first_dealer(),
            note(_("All four of a month on the field (shima, シマ) go to the dealer at once.")),
            note(_("After that, the player who scored most in the month before deals."), "A5"),
        ),
    )


def _dealt_section() -> Section:
    return Section(
        "dealt",
        _("Dealt-hand yaku (手役)"),
        (
            note(
                _(
                    "Shown before the first card and paid at the end of the month, by each of "
                    "the others."
                ),
                "A1",
                "A4",
            ),
            note(
                _(
                    "Those without a value are bad hands: the whole hand is shown, and the "
                    "month is dealt again."
                ),
                "A1",
            ),
        ),
        (*_dealt(), *tables.by_pattern(AGAIN, None)),
    )


def _captured_section() -> Section:
    return Section(
        "captured",
        _("Captured yaku (出来役)"),
        (
            note(
                _(
                    "Counted when all hands are played out: nobody can end a month early. Each is "
                    "paid by each of the other two."
                ),
                "A4",
            ),
            note(_("Rain (amanagare, 雨流れ) is not played.")),
        ),
        tables.captured(YAKU, points, {"over": "A2", "step": "A2"}),
    )


def _end_section() -> Section:
    poor = _(
        "A player with %(most)d points or fewer at the end: the month scores "
        "nothing for anyone, whatever was made.",
        most=FUKE,
    )
    return Section(
        "end",
        _("How a month ends"),
        (
            note(common.card_points()),
            note(
                _(
                    "Each player scores their yaku and their captured points above or below "
                    "%(even)d.",
                    even=EVEN,
                ),
                "A4",
            ),
        ),
        (RuleEntry("fuke", None, notes=(note(poor, "A3"),)),),
    )


def _settlement_section() -> Section:
    ranks = (_("first"), _("second"), _("third"))
    return Section(
        "settlement",
        _("Settlement of the year"),
        (note(_("The prize of the year (吟味) by rank:"), "A6"),),
        grid=common.grid(
            ("", *ranks),
            (_("no ties"), *_prizes(2, 1, 0)),
            (_("two are first"), *_prizes(1, 1, 0)),
            (_("two are second"), *_prizes(1, 0, 0)),
        ),
    )


PAGES: Final = (
    Page(
        _ID,
        _ID,
        None,
        (
            note(
                _(
                    "Three players match cards by month until their hands are empty. Then all "
                    "yaku they have captured are paid, and the points of the cards above or "
                    "below the mean."
                )
            ),
        ),
        (
            (common.PLAYERS, _("three")),
            *common.dealt(HAND, FIELD, MONTHS),
            (common.UNIT, _("points")),
        ),
        (
            _deal_section(),
            _dealt_section(),
            common.turn(),
            _captured_section(),
            _end_section(),
            _settlement_section(),
        ),
        (),
        RULINGS,
    ),
)
