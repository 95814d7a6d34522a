"""What choices cost, of the games that are analysed (`kafu.analysis`)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.facts.rows import THOUSANDTHS
from records.facts.versions import ENGINE
from records.models import Analysis
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, parts_of, put, unit
from records.statistics.gather import (
    BATCH,
    Gathered,
    players_of,
    seats_of,
    selected,
    stamp_of,
)
from records.statistics.questions import Question
from records.totals.intervals import mean, wilson

#: The row of all kinds together.
ALL: Final = "all"
#: Choices, costly ones, the sum of losses and of their squares.
Sums = list[int]


@dataclass(frozen=True, slots=True)
class GatheredLosses(Gathered):
    """The losses of choices by their kind."""

    losses: dict[str, Sums] = field(default_factory=dict)


def _gather(question: Question) -> Gathered:
    players = players_of(question)
    if players is None:
        return Gathered(stamp=stamp_of([question.player, question.opponent]))
    kept = Q(record__analysis__engine=ENGINE, record__analysis__made__isnull=False)
    games, found = selected(question, players, kept)
    losses: dict[str, Sums] = {}
    stamps, newest = [found.stamp], found.as_of
    for start in range(0, len(games), BATCH):
        part = games[start : start + BATCH]
        seats = seats_of(part, players[0], question.seat) if players else None
        rows = Analysis.objects.filter(pk__in=part).order_by("pk")
        for pk, made, own in rows.values_list("pk", "made", "losses"):
            stamps.append(f"{made}")
            if made and (newest is None or made > newest):
                newest = made
            for seat, kind, *sums in own:
                wanted = seat in seats[pk] if seats else question.seat in (0, seat)
                if wanted:
                    for key in (ALL, kind):
                        before = losses.get(key, [0] * len(sums))
                        losses[key] = [a + b for a, b in zip(before, sums, strict=True)]
    return GatheredLosses(
        **{name: getattr(found, name) for name in ("notes", "games", "deals")},
        as_of=newest,
        stamp=stamp_of(stamps),
        losses=losses,
    )


def kinds() -> dict[str, str]:
    """The kinds of choices, in the order of rows, and all."""
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
    losses = gathered.losses if isinstance(gathered, GatheredLosses) else {}
    rows: list[Values] = []
    for kind, name in kinds().items():
        if kind in losses:
            n, costly, total, squares = losses[kind]
            rows.append(
                {
                    "kind": kind,
                    "name": name,
                    "n": n,
                    "costly": costly,
                    **put("rate", wilson(costly, n)),
                    **put("loss", parts_of(mean(n, total, squares), THOUSANDTHS)),
                }
            )
    n = losses[ALL][0] if losses else 0
    columns = _columns(question)
    return Result(columns, rows, n, estimates(columns, label="name", value="loss"))


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
