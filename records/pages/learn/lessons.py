"""The content of the lessons: which cards, yaku and situations each screen shows.

Names, values and cards of yaku come from the ruleset's description. The texts are in
``templates/records/learn/``, one template a screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from kafu import cards
from kafu.rules.description import Ruleset
from kafu.rules.grades import SCALES
from kafu.rules.rulesets import RULESETS
from kafu.rules.yaku import made, total
from records.base import labels
from records.pages.rulebook.entries import captured_entry, format_amount, format_worth
from records.wording.cards import CardView, card_views
from records.wording.readings import ReadName, read_yaku
from records.wording.steps import amount


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


class Quiz(NamedTuple):
    """Groups of cards, as letters, and the function that tells what a group is worth."""

    groups: tuple[str, ...]
    answer: Callable[[Ruleset, str], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """A lesson: house rules, and the screens with their titles by the name of their template."""

    options: Mapping[str, str]
    screens: Mapping[str, Promise]
    #: The captured yaku to know first.
    yaku: tuple[str, ...]
    #: The address for games with friends.
    record: str = "new-record"
    #: Exercises and quizzes by the name of their screen.
    practices: Mapping[str, Practice] = field(default_factory=dict)
    quizzes: Mapping[str, Quiz] = field(default_factory=dict)
    #: The words for playing on and for stopping, and situations to choose in.
    choice: tuple[Promise, Promise]
    situations: tuple[Situation, ...]
    #: A month of a score sheet: yaku with their cards, each with the seat that both others pay.
    ledger: tuple[tuple[str, str, int], ...] = ()
    #: Seeds of deals in which the learner deals and the advised moves win.
    seeds: tuple[int, ...] = ()


def tell_points(description: Ruleset, letters: str) -> str:
    """Return the points of captured cards."""
    assert description.card_points is not None
    points = description.card_points(cards.mask(letters))
    return ngettext("%d point", "%d points", points) % points


def tell_grade(description: Ruleset, letters: str) -> str:
    """Return the grade of a dealt field with its factor, if nothing was carried over."""
    assert description.grades is not None
    grade, _carry = description.grades.step(cards.mask(letters), description.grades.of[None])
    scale = SCALES[description.defaults()["ba"]][grade]
    return f"{labels.grade(grade)} ×{scale.halves / 2:g}"


def tell_hand(description: Ruleset, letters: str) -> str:
    """Return the yaku of a dealt hand with their values."""
    assert description.dealt is not None
    values = {**description.dealt.rows, **description.dealt.columns}
    made = (id for id in description.dealt.judge(cards.mask(letters)) if id in values)
    return labels.listed(
        f"{labels.yaku(id)} {format_amount(description, values[id])}" for id in made
    )


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
        choice=(_("Koi-koi"), _("Shōbu")),
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
    "hachihachi": Lesson(
        options={},
        screens={
            "points": _("Points of the cards"),
            "grades": _("Field grades"),
            "hands": _("Yaku in the dealt hand"),
            "captured": _("Yaku of captured cards"),
            "sage": _("Sage or agari"),
            "ledger": _("The score sheet"),
        },
        yaku=("goko", "shiko", "goun", "nanatan", "akatan", "aotan", "inoshikacho"),
        record="new-sheet",
        quizzes={
            "points": Quiz(("AB", "ECGH", "cdefoq"), tell_points),
            "grades": Quiz(("BGMQVk", "AFNRXl", "DHPTos"), tell_grade),
            "hands": Quiz(("EFGJPUk", "ABQRghn", "UVWXFdl", "DGLOXjv"), tell_hand),
        },
        choice=(_("Sage"), _("Agari")),
        situations=(
            Situation(
                own="BDFGJKYb",
                opponent="MOSQ",
                left=4,
                advice_on=_(
                    "Possible: with four turns left another yaku is within reach. But without one "
                    "you are paid half only."
                ),
                advice_stop=_("Safe: each of the others pays you in full."),
            ),
            Situation(
                own="VWhikl",
                opponent="AICLcd",
                left=2,
                advice_on=_(
                    "Dangerous: if your opponent makes four brights now, you alone pay for both."
                ),
                advice_stop=_("Well done: you are paid in full before it gets expensive."),
            ),
        ),
        ledger=(("sanbon", "EFGJPUk", 2), ("aotan", "Vhl", 1)),
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


def list_quizzes(ruleset: str, lesson: Lesson) -> dict[str, list[tuple[list[CardView], str]]]:
    """Return the quizzes of a lesson by screen: cards, and what the engine says they are worth."""
    description = RULESETS[ruleset]
    return {
        screen: [(card_views(group), quiz.answer(description, group)) for group in quiz.groups]
        for screen, quiz in lesson.quizzes.items()
    }


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


@dataclass(frozen=True, slots=True)
class Ledger:
    """A month of a score sheet in words.

    ``rows`` are the paid yaku, each with its cards and the amounts of the ``players``.
    """

    players: list[str]
    rows: list[tuple[str, list[CardView], list[str]]]
    totals: list[str]


def make_ledger(ruleset: str, lesson: Lesson) -> Ledger:
    """Return the ledger of a lesson in a small field, with the sums."""
    description = RULESETS[ruleset]
    payments = description.machine(lesson.options, description.seats[0]).payments
    seats = range(1, description.seats[0] + 1)
    units = labels.units(ruleset)
    rows = []
    totals = [0 for _seat in seats]
    for id, letters, winner in lesson.ledger:
        paid = payments[id].each[0]
        amounts = [paid * (len(seats) - 1 if seat == winner else -1) for seat in seats]
        totals = [total + added for total, added in zip(totals, amounts, strict=True)]
        words = [amount(points, units=units) for points in amounts]
        rows.append((labels.yaku(id), card_views(letters), words))
    return Ledger(
        [gettext("Player %(number)s") % {"number": seat} for seat in seats],
        rows,
        [amount(points, units=units) for points in totals],
    )
