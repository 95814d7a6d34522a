"""What capturing a card is worth, and the document's index of values where it survives."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.cards import PACK, Kind
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, put, unit
from records.statistics.gather import Gathered
from records.statistics.intervals import difference, mean, wilson
from records.statistics.questions import Question
from records.statistics.sums import ALL


def _columns(question: Question) -> list[Column]:
    ruleset = question.ruleset
    small = unit(ruleset)
    columns = [
        Column("card", _("Card letter"), "id"),
        Column("name", _("Card"), "text"),
        Column("month", _("Month"), "count"),
        Column(
            "count", _("Captured"), "count", "", _("Deals at whose end the seat had captured it.")
        ),
        counted(_("Deals of a seat"), _("Deals of which the captured cards are known.")),
        *estimated("won", _("Deals won with it"), "rate", "", _("Wilson interval.")),
        *estimated("score", _("Mean score with it"), "number", small),
        Column("without", _("Mean score without it"), "number", small),
        *estimated(
            "gain", _("Gain"), "number", small, _("With it minus without it; Welch interval.")
        ),
    ]
    if RULESETS[ruleset].card_index:
        note = _("The document's index of values, where it survives.")
        columns.append(Column("index", _("Document's index"), "number", "", note))
    return columns


def _compute(question: Question, gathered: Gathered) -> Result:
    seen = gathered.sums["cards"]
    index = RULESETS[question.ruleset].card_index
    n, _won, total, squares = seen[ALL].values()
    rows: list[Values] = []
    for card in PACK:
        deals, won, score, score_sq = seen[card.letter].values()
        rest = (n - deals, total - score, squares - score_sq)
        row: Values = {
            "card": card.letter,
            "name": labels.apart(card.letter, labels.card(card.letter)),
            "month": card.month,
            "count": deals,
            "n": n,
            **put("won", wilson(won, deals)),
            **put("score", mean(deals, score, score_sq)),
            "without": mean(*rest).value,
            **put("gain", difference((deals, score, score_sq), rest)),
        }
        if index:
            row["index"] = index.dregs if card.kind is Kind.DREGS else None
        rows.append(row)
    # Equal rows, as all of an empty archive, stay in the order of the pack.
    rows.sort(key=lambda row: -(row["gain"] or 0))  # type: ignore[operator]
    columns = _columns(question)
    chart = estimates(columns, label="name", value="gain")
    notes = [
        _(
            "A gain does not show a cause: a player who captures a card may simply play well, or "
            "have captured much else. It says how much better those deals went in which a seat "
            "had the card at the end."
        )
    ]
    if index:
        dearest = ", ".join(f"{one:.2f}" for one in index.dearest)
        words = {"values": dearest, "dregs": f"{index.dregs}"}
        notes.append(
            _(
                "The koi-koi document prints an index of the values of cards. The pictures of its "
                "first fifteen, with %(values)s, are lost; all dregs not among them have "
                "%(dregs)s, which is shown for all dregs here. The index has no stated unit: "
                "compare the order, not the sizes."
            )
            % words
        )
    return Result(columns, rows, n, chart, notes)


FIGURE: Final = Figure(
    id="cards",
    title=gettext_lazy("What capturing a card is worth"),
    definition=gettext_lazy(
        "How much better a deal went on average for a seat that had captured the card by its end "
        "than for one that had not."
    ),
    formula=gettext_lazy("gain = mean score of deals with the card − mean score without it"),
    compute=_compute,
    columns=_columns,
)
