"""What choices cost, of the games that are analysed (`kafu.analysis`)."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.facts.rows import THOUSANDTHS
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, parts_of, put, unit
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import mean, wilson
from records.statistics.questions import Question
from records.statistics.sums import ALL


def _gather(question: Question) -> Gathered:
    gathered = gather(question)
    counts = gathered.sums["games"][ALL]
    return replace(gathered, games=counts["analysed"], deals=counts["analysed_deals"])


def kinds() -> dict[str, str]:
    """Return the names of the kinds of choices in the order of rows, that of all first."""
    return {
        ALL: _("all choices"),
        "hand": _("card from the hand"),
        "stock": _("capture of the draw-pile card"),
        "say": _("stop or go on"),
        "bid": _("go in or out"),
        "show": _("declare a dealt hand"),
    }


def _columns(question: Question) -> list[Column]:
    small = unit(question.ruleset)
    return [
        Column("kind", _("Kind id"), "id"),
        Column("name", _("Kind of choice"), "text"),
        counted(_("Choices"), _("Choices that were analysed; forced ones are none.")),
        Column("costly", _("Costly"), "count", "", _("Costly beyond their error, game by game.")),
        *estimated("rate", _("Costly choices"), "rate", "", _("Share; Wilson interval.")),
        *estimated(
            "loss",
            _("Average loss a choice"),
            "number",
            small,
            _("How much better the best other action was, where by more than two standard errors."),
        ),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    losses = gathered.sums["losses"]
    rows: list[Values] = []
    for kind, name in kinds().items():
        if kind in losses:
            n, costly, loss, squares = losses[kind].values()
            rows.append(
                {
                    "kind": kind,
                    "name": name,
                    "n": n,
                    "costly": costly,
                    **put("rate", wilson(costly, n)),
                    **put("loss", parts_of(mean(n, loss, squares), THOUSANDTHS)),
                }
            )
    columns = _columns(question)
    return Result(columns, rows, losses[ALL]["n"], estimates(columns, label="name", value="loss"))


FIGURE: Final = Figure(
    id="losses",
    title=gettext_lazy("What choices cost"),
    definition=gettext_lazy(
        "How much choices of the selected games lost on average, by kind of choice; of the games "
        "that are analysed. n of the answer counts the choices."
    ),
    formula=gettext_lazy("average loss = sum of losses / n; rate = costly / n"),
    compute=_compute,
    columns=_columns,
    basis=gettext_lazy(
        "A loss is measured against a simple policy from what the player knew, not against best "
        "play. Who is analysed is no sample of all: somebody asked for it."
    ),
    gather=_gather,
)
