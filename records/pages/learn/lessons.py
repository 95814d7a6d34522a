"""The content of the lessons: which cards, yaku and situations each screen shows.

Names, values and cards of yaku come from the ruleset's description. The texts are in
``templates/records/learn/``, one template a screen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kafu import cards
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import made, total
from records.base import labels
from records.pages.rulebook.entries import captured_entry, format_worth
from records.wording.cards import CardView, card_views
from records.wording.readings import ReadName, read_yaku


@dataclass(frozen=True, slots=True)
class Situation:
    """A choice between stopping and playing on: captured cards of both players, cards in hand.

    ``advice_on`` and ``advice_stop`` say what each choice risks or gains.
    """

    own: str
    opponent: str
    left: int
    advice_on: Promise
    advice_stop: Promise


class Practice(NamedTuple):
    """Cards of an exercise in matching, as letters: the field, the hand and the draw pile."""

    field: str
    hand: str
    pile: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A lesson: house rules, and the screens with their titles by the name of their template."""

    options: Mapping[str, str]
    screens: Mapping[str, Promise]
    #: The captured yaku to know first.
    yaku: tuple[str, ...]
    #: Exercises by the name of their screen.
    practices: Mapping[str, Practice] = field(default_factory=dict)
    situations: tuple[Situation, ...] = ()
    #: Seeds of deals in which the learner deals and the advised moves win.
    seeds: tuple[int, ...] = ()


LESSONS: Final[Mapping[str, Lesson]] = {
    "koikoi": Lesson(
        options={"profile": "koikoi-nintendo"},
        screens={
            "cards": _("The 48 cards"),
            "matching": _("Matching cards"),
            "turn": _("A turn"),
            "yaku": _("Yaku"),
            "choice": _("Koi-koi or shōbu"),
            "month": _("Your first month"),
        },
        yaku=("sanko", "inoshikacho", "akatan", "aotan", "hanami", "tane", "tan", "kasu"),
        practices={
            # One match, a choice of two, three matches, and none.
            "matching": Practice("CKLZabMq", "AIYs"),
            # The draw pile captures a card that was just left on the field.
            "turn": Practice("FJQclt", "Eg", "Rh"),
        },
        situations=(
            Situation(
                own="BDFGJKcd",
                opponent="MOYb",
                left=5,
                advice_on=_(
                    "A good idea: many cards are left, your opponent is far from any yaku, and the "
                    "sake cup would bring you another one."
                ),
                advice_stop=_("Safe, but small: you had time to make more."),
            ),
            Situation(
                own="BDFGJK",
                opponent="ACILWX",
                left=2,
                advice_on=_(
                    "Dangerous: your opponent needs one more bright, and you have few turns left."
                ),
                advice_stop=_("Well done: the points are yours before your opponent stops."),
            ),
        ),
        seeds=(16, 9, 27, 45, 39),
    ),
}


@dataclass(frozen=True, slots=True)
class LearnedYaku:
    """A captured yaku of a lesson, with what a progress bar needs."""

    name: ReadName
    worth: str
    need: int
    cards: list[CardView]
    text: str


@dataclass(frozen=True, slots=True)
class ShownSituation:
    """A `Situation` with its cards, and the yaku that the player has made."""

    own: list[CardView]
    opponent: list[CardView]
    made: str
    worth: str
    left: int
    advice_on: str
    advice_stop: str


def list_yaku(ruleset: str, options: Mapping[str, str], ids: Iterable[str]) -> list[LearnedYaku]:
    """Return captured yaku of a house in the order of ``ids``."""
    description = RULESETS[ruleset]
    rows = {row.id: row for row in description.captured_yaku(options)}
    entries = {id: captured_entry(description, rows[id], {}, rain=False) for id in ids}
    return [
        LearnedYaku(
            name=read_yaku(id),
            worth=entry.worth,
            need=rows[id].need,
            cards=card_views("".join(group.letters for group in entry.groups)),
            text=" ".join(entry.notes),
        )
        for id, entry in entries.items()
    ]


def list_situations(ruleset: str, lesson: Lesson) -> Iterator[ShownSituation]:
    """Yield the situations of a lesson, with the yaku made by the rules of its house."""
    description = RULESETS[ruleset]
    table = description.captured_yaku(lesson.options)
    for situation in lesson.situations:
        yaku = made(table, cards.mask(situation.own), rained=False, called=False)
        yield ShownSituation(
            own=card_views(situation.own),
            opponent=card_views(situation.opponent),
            made=labels.listed(read_yaku(row.id).name for row in yaku),
            worth=format_worth(description, total(yaku)),
            left=situation.left,
            advice_on=str(situation.advice_on),
            advice_stop=str(situation.advice_stop),
        )
