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
DEAL: Final = _("Deal")
LENGTH: Final = _("Length")
UNIT: Final = _("Counted in")

RULINGS: Final[Mapping[str, Text]] = {
    "C1": _(
        "Seats are numbered against the clock from 1, and play goes to the next "
        "higher number. The dealer (dō or oya) is first, then dōni, last biki."
    ),
    "C2": _(
        "A card that finds a card of its month on the field must take it; of two "
        "the player chooses one, three are all taken."
    ),
    "C3": _("Hands, field and stock together are the whole pack, every card once."),
    "C4": _(
        "The payments of a month are lines that sum to zero, except in koi-koi, "
        "where the winner gets and nobody pays."
    ),
    "C5": _(
        "Who is one card short of a yaku is seen from captured cards alone, never from a hand."
    ),
    "C6": _(
        "A four of a month is no three, and a three is no pair. After a misdeal, "
        "or in a month declared void, the same dealer deals the month again."
    ),
    "C7": _(
        "Where a draw settles the seats, the youngest month deals; who drew alike "
        "draw again among themselves."
    ),
    "C8": _("A record may stop before its game ends only if it says why."),
    "C9": _(
        "Of a hidden hand is known what its player is seen to play, lay open or show "
        "from it, later too. A claim that no hand allows is wrong; one that the cards "
        "allow but do not prove stands with a warning."
    ),
    "C10": _(
        "A month that is dealt again has no turns. A hand is shown in it where that is "
        "the reason, where it comes first, or before a misdeal found out later."
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
                    "Play a card from your hand to the field, then turn the top card of the "
                    "stock. Each takes a card of its month that lies there; of two you choose "
                    "one, and with three you take all. There is no declining. What finds "
                    "nothing stays on the field."
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
        _("For the first month each player draws a card: the youngest month deals."), "C7", "C1"
    )


def grid(head: tuple[object, ...], *rows: tuple[object, ...]) -> Grid:
    """A small table of rows."""
    return Grid(head, rows)
