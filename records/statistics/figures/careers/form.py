"""A player's form: how their deals went, month by month."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from django.db.models import ExpressionWrapper, F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.base.keys import player_key
from records.base.sums import TABLE, Counted, LazySums
from records.models import Rollup
from records.models.packed_fields import PackedTextField
from records.statistics.answer import Column
from records.statistics.charts import course
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, in_play, put, unit
from records.statistics.figures.ratings import month_text
from records.statistics.gather import Gathered, gather
from records.statistics.player_lists import extended
from records.statistics.questions import Question
from records.totals.intervals import mean, wilson
from records.totals.layout import ALL, number_of

#: The newest months that are shown.
MOST: Final = 120


@dataclass(frozen=True, slots=True)
class Months(Gathered):
    """The sums of a player's seats, by month."""

    months: Mapping[int, Counted] = field(default_factory=dict)


def _gather(question: Question) -> Gathered:
    """Nothing if no player is given."""
    if not question.player:
        return Months(stamp="-", notes=[_("No player is given.")])
    rows = Rollup.objects.filter(
        player__key=player_key(question.player),
        ruleset=question.ruleset,
        month__gte=question.month_from or 101,
    ).order_by("-month")
    if question.profile:
        rows = rows.filter(profile=question.profile)
    if question.month_to:
        rows = rows.filter(month__lte=question.month_to)
    texts: defaultdict[int, list[str]] = defaultdict(list)
    sums = ExpressionWrapper(F("sums"), PackedTextField())
    for month, text in rows.values_list("month", sums).iterator():
        if month % 100 and (month in texts or len(texts) < MOST):
            texts[month].append(text)
    found: Months = extended(
        Months,
        gather(replace(question, own={})),
        stamp="form",
        months={month: _seats(some) for month, some in sorted(texts.items())},
    )
    return found


def _seats(texts: list[str]) -> Counted:
    return LazySums(lambda: texts, lambda place: place != TABLE)


def _columns(question: Question) -> list[Column]:
    return [
        Column("month", _("Month"), "text", "", _("Months with games of the player.")),
        Column("games", _("Games"), "count"),
        Column("first", _("Games won alone"), "count"),
        counted(_("Deals"), _("Deals that the player was in play.")),
        Column("won", _("Won"), "count", "", _("Deals won.")),
        *estimated("rate", _("Deals won"), "rate", "", _("Won divided by deals; Wilson interval.")),
        *estimated("score", _("Mean score"), "number", unit(question.ruleset), _("Of a deal.")),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    rows: list[Values] = []
    for month, sums in gathered.months.items() if isinstance(gathered, Months) else ():
        deals = in_play(sums)
        rows.append(
            {
                "month": month_text(month),
                "games": number_of(sums, "seat", ALL, "games"),
                "first": number_of(sums, "seat", ALL, "first"),
                "n": deals["deals"],
                "won": deals["won"],
                **put("rate", wilson(deals["won"], deals["deals"])),
                **put("score", mean(deals["deals"], deals["score"], deals["score_sq"])),
            }
        )
    columns = _columns(question)
    chart = course(columns, month="month", value="rate")
    drawn = [row for row in rows if row["n"]]
    return Result(columns, rows, sum(int(row["n"] or 0) for row in rows), chart, (), drawn)


FIGURE: Final = Figure(
    id="form",
    title=gettext_lazy("Form by month"),
    definition=gettext_lazy(
        "How a player's deals went, month by month: how many they won, and what they scored. Games "
        "that are not dated to the month are left out."
    ),
    formula=gettext_lazy("rate = won / n; mean score = sum of scores / n"),
    compute=_compute,
    columns=_columns,
    filters=("ruleset", "profile", "player", "from", "to"),
    gather=_gather,
)
