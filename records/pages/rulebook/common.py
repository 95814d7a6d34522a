"""Shared by pages of the rulebook: parts of several games, the common rulings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from kafu import cards
from kafu.cards import Kind
from records.pages.rulebook.outline import Grid, Note, Section, note
from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

PLAYERS: Final = _("Number of players")
DEAL: Final = _("Cards dealt")
LENGTH: Final = _("Length")
UNIT: Final = _("Counted in")

RULINGS: Final[Mapping[str, Text]] = {
    "C1": _(
        "Seats are numbered counter-clockwise from 1, and play goes to the next higher number. "
        "The dealer (dō or oya) is first, then dōni, last biki."
    ),
    "C2": _(
        "A card that finds a card of its month on the field must capture it; of two the player "
        "chooses one, and three are all captured."
    ),
    "C3": _("Hands, field and draw pile together are the whole pack, every card once."),
    "C4": _(
        "The payments of a month are lines that sum to zero, except in koi-koi, where the winner "
        "scores and nobody pays."
    ),
    "C5": _(
        "Whether a player is one card short of a yaku is judged by captured cards alone, never by "
        "the hand."
    ),
    "C6": _(
        "A four of a month is not also a three, and a three is not also a pair. After a misdeal, "
        "or in a month declared void, the same dealer deals the month again."
    ),
    "C7": _(
        "Where seats are drawn, the earliest month deals; players who drew the same month draw "
        "again among themselves."
    ),
    "C8": _("A record may stop before its game ends only if it says why."),
    "C9": _(
        "Of a hidden hand, only what its player is seen to play, lay open or show from it is "
        "known, also when that happens later. A claim that no possible hand allows is wrong; one "
        "that the cards allow but do not prove stands with a warning."
    ),
    "C10": _(
        "A month that is dealt again has no turns. A hand is shown in it only if that is the "
        "reason, if showing comes first, or before a misdeal that is found later."
    ),
}


def dealt(hand: int, field: int, months: object) -> tuple[tuple[Text, Text], ...]:
    """What is dealt, as 手七場六, and the number of months."""
    cards_dealt = _("%(hand)d cards each, %(field)d on the field", hand=hand, field=field)
    return ((DEAL, cards_dealt), (LENGTH, _("%(months)s months", months=months)))


def turn(*more: Note) -> Section:
    """How cards are captured."""
    return Section(
        "turn",
        _("A turn"),
        (
            note(
                _(
                    "Play a card from your hand to the field, then turn the top card of the draw "
                    "pile. Each captures a card of its month on the field; of two you choose one, "
                    "and with three you capture all. A capture cannot be declined. A card that "
                    "matches nothing stays on the field."
                ),
                "C2",
            ),
            *more,
        ),
    )


def card_points() -> Text:
    """The 88-point count."""
    return _(
        "Captured cards count: bright %(bright)d, animal %(animal)d, slip "
        "%(slip)d, dregs %(dregs)d points, %(all)d in all.",
        bright=Kind.BRIGHT.points,
        animal=Kind.ANIMAL.points,
        slip=Kind.SLIP.points,
        dregs=Kind.DREGS.points,
        all=cards.points(cards.ALL),
    )


def first_dealer() -> Note:
    """C7."""
    return note(
        _("For the first month each player draws a card: the earliest month deals."), "C7", "C1"
    )


def grid(head: tuple[object, ...], *rows: tuple[object, ...]) -> Grid:
    """A small table of rows."""
    return Grid(head, rows)
