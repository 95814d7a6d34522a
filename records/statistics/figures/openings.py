"""Opening plays: the first card from a hand, what it captures, and how the deal then goes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.cards import CARD, PACK, PLANTS
from records.base import labels
from records.search.filters import shown
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import (
    LEAST,
    Values,
    counted,
    estimated,
    put,
    unit,
)
from records.statistics.gather import Gathered
from records.statistics.intervals import mean, wilson
from records.statistics.questions import Parameter, Question, one_of

NOTHING: Final = "-"
#: More cards than ever lie on a field.
_MOST_FIELD: Final = 48
#: Maximum rows of a chart.
_DRAWN: Final = 30


def _read_field(value: str, question: Question) -> str:
    cards = "".join(value.split())
    wrong = sorted({letter for letter in cards if letter not in CARD})
    if wrong or len(set(cards)) < len(cards):
        words = {"value": shown(value)}
        message = _("“%(value)s”: expected letters of cards (A–Z, a–v), each at most once.")
        raise ValueError(message % words)
    return "".join(sorted(cards))


def possible(card: str, take: str, field: str) -> bool:
    """Whether a play is possible on a field of these cards.

    One card of the month is captured, of two one, three all together (C2).

    >>> possible("A", "B", "BCE"), possible("A", "-", "E"), possible("A", "B", "BCD")
    (True, True, False)
    """
    lying = {letter for letter in field if CARD[letter].month == CARD[card].month}
    if card in lying:
        return False
    if take == NOTHING:
        return not lying
    taken = set(take)
    return taken <= lying and len(taken) == (3 if len(lying) == 3 else 1)


def _columns(question: Question) -> list[Column]:
    if question.own["of"] == "card":
        return [
            Column("play", _("Card letter"), "id"),
            Column("name", _("Card"), "text"),
            counted(_("Deals"), _("Deals with it on the field when the first card was played.")),
            Column("taken", _("Taken"), "count", "", _("Of these, taken by the first hand card.")),
            *estimated("rate", _("Taken at once"), "rate", "", _("Wilson interval.")),
        ]
    small = unit(question.ruleset)
    return [
        Column("play", _("Card letter"), "id"),
        Column("take", _("Taken letters"), "id", "", _("`none` where it took nothing.")),
        Column("name", _("Opening play"), "text"),
        counted(_("Deals"), _("Deals that a seat opened so.")),
        *estimated("rate", _("Deals won"), "rate", "", _("Wilson interval.")),
        *estimated("score", _("Mean score"), "number", small),
    ]


def _plays(question: Question, gathered: Gathered) -> Result:
    columns = _columns(question)
    field, least = question.own["field"], question.own["n_min"]
    seen = {
        key: row
        for key, row in gathered.sums["openings"].items()
        if not field or possible(*_parted(key), field)
    }
    rows: list[Values] = []
    for key, row in sorted(seen.items(), key=lambda item: (-item[1]["deals"], item[0])):
        if row["deals"] < least:
            continue
        card, take = _parted(key)
        rows.append(
            {
                "play": card,
                "take": "none" if take == NOTHING else take,
                "name": _play(card, take),
                "n": row["deals"],
                **put("rate", wilson(row["won"], row["deals"])),
                **put("score", mean(row["deals"], row["score"], row["score_sq"])),
            }
        )
    notes = []
    if field:
        words = {"cards": labels.brief(field)}
        notes.append(
            _(
                "Plays that are possible with %(cards)s on the field; each counts wherever it was "
                "made, whatever else was on the field."
            )
            % words
        )
    chart = estimates(columns, label="name", value="score")
    return Result(
        columns, rows, sum(row["deals"] for row in seen.values()), chart, notes, rows[:_DRAWN]
    )


def _lay(question: Question, gathered: Gathered) -> Result:
    columns = _columns(question)
    field, least = question.own["field"], question.own["n_min"]
    seen = gathered.sums["lay"]
    rows: list[Values] = []
    for card in PACK:
        if field and card.letter not in field:
            continue
        deals, taken = seen[card.letter].values()
        if deals >= least or least == 1:
            rows.append(
                {
                    "play": card.letter,
                    "name": labels.apart(card.letter, labels.card(card.letter)),
                    "n": deals,
                    "taken": taken,
                    **put("rate", wilson(taken, deals)),
                }
            )
    n = sum(row["deals"] for card, row in seen.items() if not field or card in field)
    return Result(columns, rows, n, estimates(columns, label="name", value="rate"))


def _parted(key: str) -> tuple[str, str]:
    card, _space, take = key.partition(" ")
    return card, take


def _play(card: str, take: str) -> str:
    if take == NOTHING:
        return _("%(card)s, nothing taken") % {"card": _apart(card)}
    taken = labels.listed(_taken(card, letter) for letter in take)
    return _("%(card)s takes %(taken)s") % {"card": _apart(card), "taken": taken}


def _apart(letter: str) -> str:
    return labels.apart(letter, labels.brief(letter))


def _taken(by: str, letter: str) -> str:
    """A card that is captured; long English names give the plant of both once."""
    same = CARD[by].month == CARD[letter].month and labels.lang() == "en"
    plant = f"{PLANTS[CARD[letter].month - 1].en} " if same else ""
    return _apart(letter).removeprefix(plant).removeprefix("with ")


_OF: Final[dict[str, Callable[[Question, Gathered], Result]]] = {"play": _plays, "card": _lay}


def _compute(question: Question, gathered: Gathered) -> Result:
    return _OF[question.own["of"]](question, gathered)


FIGURE: Final = Figure(
    id="openings",
    title=gettext_lazy("Opening plays"),
    definition=gettext_lazy(
        "The first card that is played from a hand in a deal, with what it captures: how often, "
        "and how the deal then went for that seat. For cards on the field: how often the first "
        "play captures them."
    ),
    formula=gettext_lazy("rate = won / n; score = sum of the scores / n; with of=card, taken / n"),
    compute=_compute,
    columns=_columns,
    forms=({"of": "play"}, {"of": "card"}),
    own=(
        Parameter(
            "of",
            gettext_lazy("Plays from the hand, or cards on the field."),
            {"type": "string", "enum": list(_OF), "default": "play"},
            one_of(*_OF),
            "play",
        ),
        Parameter(
            "field",
            gettext_lazy("Only plays that are possible with these cards (letters) on the field."),
            {"type": "string", "pattern": "^[A-Za-v]+$", "maxLength": _MOST_FIELD},
            _read_field,
        ),
        LEAST,
    ),
)
