"""Yaku and grades of 八八, as its pages of both houses tell them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from typing import Final

from kafu import cards
from kafu.rules import grades
from kafu.rules.hachihachi import hands as hachihachi_hands
from kafu.rules.hachihachi.ending import EVEN
from kafu.rules.hachihachi.hands import NUKE
from kafu.rules.hachihachi.year import SPECIALS
from records.pages.rulebook import tables
from records.pages.rulebook.outline import (
    Cards,
    RuleEntry,
    note,
)
from records.pages.rulebook.tables import kan
from records.pages.rulebook.text import Text
from records.pages.rulebook.text import say as _

#: A hand of each dealt-hand yaku.
HANDS: Final[Mapping[str, str]] = {
    "sanbon": "EFGJPUk",
    "tatesanbon": "BMNPUek",
    "kuttsuki": "ABQRghn",
    "teshi": "FUVWXdl",
    "haneken": "IKghikn",
    "ichinishi": "EFGHcej",
    "shiso": "YZaklmn",
    "futasanbon": "ABCJcef",
    "sanbon-tatesanbon": "EFHYZbs",
    "futatatesanbon": "MOPQRTk",
    "aka": "BCJRWfm",
    "tanichi": "DGLSVen",
    "toichi": "CHOWfkt",
    "pikaichi": "AKPSbim",
    "karasu": "DGLOXjv",
}
#: What makes a yaku of the count family.
COUNT_NOTES: Final[Mapping[str, Text]] = {
    "sanbon": _("Three cards of a month."),
    "tatesanbon": _("Three of wisteria, iris or clover, or the three dregs of paulownia."),
    "kuttsuki": _("Three pairs."),
    "teshi": _("All four of a month."),
    "haneken": _("Three of a month and two pairs."),
    "ichinishi": _("All four of a month and a pair."),
    "shiso": _("All four of a month and three of another."),
    "futasanbon": _("Two threes."),
    "sanbon-tatesanbon": _("A three and a standing three."),
    "futatatesanbon": _("Two standing threes."),
}
DREGS_NOTES: Final[Mapping[str, Text]] = {
    "aka": _(
        "Two or more slips, the rest dregs. The dregs are laid open, and any slips beyond "
        "%(hidden)d.",
        hidden=hachihachi_hands.AKA_HIDDEN,
    ),
    "tanichi": _("One slip, the rest dregs, which are laid open."),
    "toichi": _("One animal, the rest dregs, which are laid open."),
    "pikaichi": _("One bright, the rest dregs, which are laid open."),
    "karasu": _("Dregs only, all laid open."),
}


def dealt(
    family: Mapping[str, int],
    notes: Mapping[str, Text],
    laid: Callable[[int, str], int],
    jumps: Container[str],
    *,
    marks: Mapping[str, str],
) -> Iterator[RuleEntry]:
    """The dealt-hand yaku of a family (values in kan), each with a hand and what of it ``laid``
    lays open. ``jumps`` are those with 飛込み, ``marks`` the rulings on 立三本, 飛込み and 抜け.
    """
    for id, value in family.items():
        hand = HANDS[id]
        more = [note(notes[id], *[marks["tatesanbon"]] * ("tatesanbon" in id))]
        if id in jumps:
            more.append(note(_("With tobikomi."), marks["tobikomi"]))
        if id in NUKE:
            more.append(note(_("With nuke."), marks["nuke"]))
        yield RuleEntry(
            id, kan(value), tables.opened(hand, laid(cards.mask(hand), id)), tuple(more)
        )


def specials(ruling: str) -> Iterator[RuleEntry]:
    """The special yaku of hands played out."""
    texts = {
        "sohachi": _(
            "All three have captured %(even)d points: the player who plays first gets it.",
            even=EVEN,
        ),
        "futahachi": _(
            "A player has captured %(least)d points; %(more)s more for each point above.",
            least=SPECIALS["futahachi"].least,
            more=kan(SPECIALS["futahachi"].step),
        ),
        "sujuroku": _(
            "A player has captured %(least)d dregs, all willow counting as dregs; "
            "%(more)s more for each card above.",
            least=SPECIALS["sujuroku"].least,
            more=kan(SPECIALS["sujuroku"].step),
        ),
    }
    for id, special in SPECIALS.items():
        yield RuleEntry(id, kan(special.kan), notes=(note(texts[id], ruling),))


def graded() -> tuple[RuleEntry, ...]:
    """The grades by the brights that make them."""
    return (
        RuleEntry("absolute", None, (Cards(cards.letters(grades.ABSOLUTE)),)),
        RuleEntry("large", None, (Cards(cards.letters(grades.LARGE)),)),
    )
