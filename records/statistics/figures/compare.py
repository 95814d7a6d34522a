"""A player compared with all: how often they win, play on and make the usual yaku."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models.families import Family, family_of
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import FILTERS, Figure, Result
from records.statistics.estimates import (
    Values,
    corrected,
    counted,
    estimated,
    flagged,
    in_play,
    put,
)
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import chance, differ, wilson
from records.statistics.questions import Question
from records.statistics.sums import ALL, Sums

#: Number of yaku that are compared: those that are made most often by all.
_YAKU: Final = 12


@dataclass(frozen=True, slots=True)
class WithBaseline(Gathered):
    """The counts of the player, and of all players in the games of the same filters."""

    all: Gathered = field(default_factory=Gathered)


def _gather(question: Question) -> Gathered:
    """Nothing if no player is given."""
    alone = gather(question) if question.player else Gathered()
    all_ = gather(replace(question, player="", opponent=""))
    parts = {one.name: getattr(alone, one.name) for one in fields(Gathered)}
    return WithBaseline(**{**parts, "stamp": f"{alone.stamp} {all_.stamp}"}, all=all_)


def _columns(question: Question) -> list[Column]:
    return [
        Column("what", _("Id"), "id"),
        Column("name", _("What"), "text"),
        counted(_("Cases"), _("Deals, games or choices of the player.")),
        Column("count", _("Times"), "count"),
        *estimated("rate", _("Player"), "rate", "", _("Times divided by cases; Wilson interval.")),
        Column("all", _("All"), "rate", "", _("Of all players, including this one.")),
        flagged(corrected(_("the player's rate differs from that of all"))),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    everybody = gathered.all if isinstance(gathered, WithBaseline) else gathered
    mine = {case.what: case for case in _cases(question, gathered.sums)}
    n = in_play(gathered.sums)["deals"]
    rows: list[Values] = []
    chances: list[float | None] = []
    for usual in _usual(_cases(question, everybody.sums)):
        rate = usual.count / usual.n if usual.n else None
        case = mine.get(usual.what, replace(usual, count=0, n=n))  # a yaku never made
        chances.append(chance(case.count, case.n, rate) if case.n and rate is not None else None)
        rows.append(
            {
                "what": usual.what,
                "name": usual.name,
                "n": case.n,
                "count": case.count,
                **put("rate", wilson(case.count, case.n)),
                "all": rate,
            }
        )
    for row, differs in zip(rows, differ(chances), strict=True):
        row["differs"] = differs
    columns = _columns(question)
    measure = _("Rate (times / cases)")
    chart = estimates(
        columns, label="name", value="rate", measure=measure, baseline="all", flag="differs"
    )
    drawn = [row for row in rows if row["n"]]
    notes = [] if question.player else [_("No player is given.")]
    return Result(columns, rows, n, chart, notes, drawn)


@dataclass(frozen=True, slots=True)
class Case:
    """An event that happened ``count`` times of ``n`` possible times."""

    what: str
    name: str
    count: int
    n: int
    yaku: bool = False


def _cases(question: Question, sums: Mapping[str, Sums]) -> Iterator[Case]:
    """All cases that are compared, of one player or of all; yaku in the order of their ids."""
    deals = in_play(sums)
    yield Case("won", _("Deals won"), deals["won"], deals["deals"])
    dealer, games = sums["deals"]["1"], sums["seat"][ALL]
    yield Case("dealer", _("Deals won as dealer"), dealer["won"], dealer["deals"])
    yield Case("first", _("Games won alone"), games["first"], games["ended"])
    if words_of := RULESETS[question.ruleset].choice:
        on, stop = words_of
        words = {"on": labels.decision(on)}
        chosen, stopped = (sums["choices"][f"{word} {ALL}"] for word in (on, stop))
        chances = chosen["n"] + stopped["n"]
        yield Case("said", _("%(on)s said, when possible") % words, chosen["n"], chances)
        yield Case("success", _("Success of %(on)s") % words, chosen["won"], chosen["n"])
    made = sums["yaku"]
    for id in sorted(made):
        if family_of(id) is not Family.OTHER:
            yield Case(id, labels.yaku(id), made[id]["times"], deals["deals"], yaku=True)


def _usual(cases: Iterable[Case]) -> list[Case]:
    """All cases that are no yaku, then the yaku made most often."""
    found = list(cases)
    made = sorted((one for one in found if one.yaku and one.count), key=lambda one: -one.count)
    return [*(one for one in found if not one.yaku), *made[:_YAKU]]


FIGURE: Final = Figure(
    id="compare",
    title=gettext_lazy("Compared with all players"),
    definition=gettext_lazy(
        "How often a player wins, plays on, and makes the most frequent yaku, compared with all "
        "players in games of the same filters, whoever they played against."
    ),
    formula=gettext_lazy("rate = times / n, of the player and of all"),
    compute=_compute,
    columns=_columns,
    filters=tuple(name for name in FILTERS if name not in ("seat", "last")),
    gather=_gather,
)
