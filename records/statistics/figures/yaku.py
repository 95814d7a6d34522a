"""How often each yaku is made, and what it brings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.odds.exact import seat_odds
from records.base import labels
from records.models.families import family_of
from records.search.filters import yaku_of
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import (
    Values,
    counted,
    estimated,
    in_play,
    put,
    unit,
)
from records.statistics.gather import Gathered
from records.statistics.intervals import exact, mean, wilson
from records.statistics.questions import Question, house_options

#: Families in the order of the table.
_FAMILIES: Final = ("dealt", "captured", "special", "other")


def _columns(question: Question) -> list[Column]:
    ruleset = question.ruleset
    return [
        Column("yaku", _("Yaku id"), "id"),
        Column("name", _("Yaku"), "text"),
        Column("family", _("Family"), "text", "", _("Dealt-hand, captured, special, or other.")),
        Column(
            "times",
            _("Times"),
            "count",
            "",
            _(
                "Payments, each counted once, except those struck out. For one player or seat, "
                "payments that are no yaku are those that it received or made."
            ),
        ),
        counted(_("Deals of a seat"), _("Deals that a seat was in play.")),
        *estimated(
            *("rate", _("Rate"), "rate", ""),
            _(
                "Times divided by deals of a seat, for payments that are no yaku times received; "
                "exact interval (Clopper–Pearson) where there are exact odds, else Wilson interval."
            ),
        ),
        Column(
            *("exact", _("Exact odds"), "rate", ""),
            _("That a seat in play can show this dealt-hand yaku in the house; not tested."),
        ),
        Column("one_in", _("One in"), "one-in", "", _("The n of 1/n of the exact odds.")),
        Column("alone", _("Alone"), "count", "", _("Times that it was received alone.")),
        *estimated("value", _("Mean value"), "number", unit(ruleset), _("When received alone.")),
        Column("paid", _("Paid"), "count", "", _("Times that a seat paid it; not for yaku.")),
        Column("zero", _("For nothing"), "count", "", _("Payments that gave nothing.")),
        Column("void", _("Struck out"), "count", "", _("Times that it was struck out.")),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    made = gathered.sums["yaku"]
    n = in_play(gathered.sums)["deals"]
    dealt = seat_odds(question.ruleset, house_options(question))
    ids = sorted(
        dict.fromkeys((*yaku_of(question.ruleset), *dealt, *made)),
        key=lambda id: _FAMILIES.index(family_of(id)),
    )
    rows: list[Values] = []
    for id in ids:
        sums = made[id]
        times, alone = sums["times"], sums["alone"]
        odd = float(dealt.get(id, 0)) or None
        rows.append(
            {
                **_named(id),
                "times": times,
                "n": n,
                **put("rate", exact(times, n) if odd else wilson(times, n)),
                "exact": odd,
                "one_in": 1 / odd if odd else None,
                "alone": alone,
                **put("value", mean(alone, sums["amount"], sums["amount_sq"])),
                "paid": None,
                "zero": sums["zero"],
                "void": sums["void"],
            }
        )
    rows += _payments(question, gathered, n)
    columns = _columns(question)
    chart = estimates(columns, label="name", value="rate", baseline="exact")
    drawn = [row for row in rows if row["times"] and family_of(str(row["yaku"])) != "other"]
    note = _(
        "A dealt-hand yaku counts when it is declared and paid. The exact odds are those of having "
        "it in the house of the question, by default the document's; who has it need not declare "
        "it, so a difference is no sign of unfair cards. “Dealt hands compared with exact odds” "
        "tests the hands themselves."
    )
    return Result(columns, rows, n, chart, [note], drawn)


def _named(id: str) -> Values:
    return {"yaku": id, "name": labels.yaku(id), "family": str(family_of(id).label)}


def _payments(question: Question, gathered: Gathered, n: int) -> Iterator[Values]:
    """Yield the payments that are no yaku, each counted once.

    For a player or a seat these are the payments that it received or made.
    """
    lines, seats = gathered.sums["payments"], gathered.sums["paid"]
    is_whole = not (question.player or question.seat)
    for id in sorted(lines if is_whole else seats):
        sums = seats[id]
        received, paid = sums["received"], sums["paid"]
        times = lines[id]["times"] if is_whole else received + paid
        yield {
            **_named(id),
            "times": times,
            "n": n,
            **put("rate", wilson(received, n)),
            "exact": None,
            "one_in": None,
            "alone": received,
            **put("value", mean(received, sums["amount"], sums["amount_sq"])),
            "paid": paid,
            "zero": lines[id]["zero"] if is_whole else None,
            "void": lines[id]["void"] if is_whole else None,
        }


FIGURE: Final = Figure(
    id="yaku",
    title=gettext_lazy("How often yaku are made, and their value"),
    definition=gettext_lazy(
        "For each yaku, how often it was paid in the deals that a seat was in play, and what it "
        "brought on average when it was paid alone; then the other payments, each counted once. "
        "Exact odds are next to the rates of dealt-hand yaku, without a test."
    ),
    formula=gettext_lazy(
        "rate = times / n, for payments that are no yaku times received / n; value = sum of what "
        "was received alone / times alone"
    ),
    compute=_compute,
    columns=_columns,
)
