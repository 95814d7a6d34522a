"""Any metric by one or two dimensions (`records.insights`), as a figure like the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.cards import LETTERS
from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.insights import asking, names
from records.insights.asking import InsightQuery, Tabulated
from records.insights.dimensions import BAND, DIMENSIONS, RULESET, UNRATED, Dimension
from records.insights.facts import grade_of, kind_of
from records.models import Player
from records.privacy.redaction import of_archive
from records.search.selection import cursor, read_cursor
from records.statistics.answer import Column
from records.statistics.charts import Spec, estimates
from records.statistics.definition import FILTERS, Figure, Result
from records.statistics.estimates import Values, counted, estimated, parts_of, put, unit
from records.statistics.figures.losses import kinds
from records.statistics.figures.seats import place
from records.statistics.gather import Gathered
from records.statistics.insight_questions import (
    BY,
    LOW,
    OWN,
    USUAL,
    GatheredInsight,
    by_of,
    faults,
    gather_insight,
    metric_of,
)
from records.statistics.questions import Question
from records.totals.intervals import mean, wilson

#: Maximum rows of a chart.
_DRAWN: Final = 40
_LABEL: Final = "label"


# Words --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Words:
    """What numbers of a dimension are called: names by number where it has some."""

    one: Dimension
    ruleset: str
    known: Mapping[int, str]

    def id(self, code: int) -> str:
        """For programs."""
        return _FORMS[self.one.form][0](self, code)

    def label(self, code: int) -> str:
        """For people."""
        return _FORMS[self.one.form][1](self, code)


def _band(code: int) -> int:
    return (code - UNRATED - 1) * BAND


def _band_words(code: int) -> str:
    low = _band(code)
    return _("unrated") if code == UNRATED else f"{low}–{low + BAND - 1}"


def _yaku_words(words: _Words, code: int) -> str:
    text = words.known[code]
    return _("no yaku") if text == names.NONE else labels.yaku(text)


def _hand_words(words: _Words, code: int) -> str:
    text = words.known[code]
    parts = [] if text == names.NONE else text.split("+")
    return labels.listed(map(labels.dealt, parts)) if parts else _("no yaku")


def _less_words(words: _Words, code: int) -> str:
    if words.one.id == "hour":
        return f"{code - 1}:00–{code - 1}:59"
    return _("%(count)d left") % {"count": code - 1}


Word = Callable[[_Words, int], str]
#: By the form of a dimension: its numbers for programs, and for people.
_FORMS: Final[Mapping[str, tuple[Word, Word]]] = {
    "house": (lambda of, code: of.known[code].split()[0],) * 2,
    "number": (
        lambda of, code: str(code),
        lambda of, code: _("seat %(number)d") % {"number": code},
    ),
    "dealer": (
        lambda of, code: "dealer" if code == 1 else "other",
        lambda of, code: _("dealer (oya)") if code == 1 else _("not the dealer"),
    ),
    "place": (
        lambda of, code: str(code),
        lambda of, code: place(str(code), of.ruleset) if of.ruleset else str(code),
    ),
    "month": (lambda of, code: str(code), lambda of, code: labels.month(code)),
    "grade": (lambda of, code: grade_of(code), lambda of, code: labels.grade(grade_of(code))),
    "hand": (lambda of, code: of.known[code], _hand_words),
    "card": (
        lambda of, code: LETTERS[code - 1],
        lambda of, code: labels.apart(LETTERS[code - 1], labels.card(LETTERS[code - 1])),
    ),
    "yaku": (lambda of, code: of.known[code], _yaku_words),
    "less": (lambda of, code: str(code - 1), _less_words),
    "player": (lambda of, code: of.known[code], lambda of, code: labels.person(of.known[code])),
    "band": (
        lambda of, code: "unrated" if code == UNRATED else str(_band(code)),
        lambda of, code: _band_words(code),
    ),
    "kind": (lambda of, code: kind_of(code), lambda of, code: kinds()[kind_of(code)]),
    "year": (lambda of, code: str(code),) * 2,
    "date": (lambda of, code: f"{code // 13}-{code % 13:02}",) * 2,
    "event": (
        lambda of, code: asking.shown("event", of.known[code]),
        lambda of, code: labels.person(of_archive().column(of.known[code])),
    ),
}
#: What has the names of a form.
_KINDS: Final[Mapping[str, str]] = {
    "house": names.HOUSE,
    "hand": names.HAND,
    "yaku": names.YAKU,
    "event": names.EVENT,
}
_RULESETS: Final = tuple(RULESETS)


def _words(id: str, ruleset: str, codes: Sequence[int]) -> tuple[list[str], list[str]]:
    """Numbers of a dimension for programs and for people."""
    if id == RULESET:
        ids = [_RULESETS[code - 1] for code in codes]
        return ids, [labels.ruleset_brief(one) for one in ids]
    one = DIMENSIONS[id]
    known: dict[int, str] = {}
    if one.form == "player":
        rows = Player.objects.order_by().filter(pk__in=set(codes))
        known = dict(rows.values_list("pk", "name"))
    elif one.form in _KINDS:
        known = names.texts(_KINDS[one.form])
    words = _Words(one, ruleset, known)
    return [words.id(code) for code in codes], [words.label(code) for code in codes]


# The answer ---------------------------------------------------------------------------------------


def title_of(id: str) -> str:
    """What a dimension is called."""
    return _("Ruleset") if id == RULESET else str(DIMENSIONS[id].title)


def gloss_of(id: str) -> str:
    """What a dimension tells apart."""
    return _("Sums are in the small unit of each.") if id == RULESET else str(DIMENSIONS[id].gloss)


def _columns(question: Question) -> list[Column]:
    metric, by = metric_of(question), by_of(question)
    small = unit(question.ruleset) if metric.small and question.ruleset else str(metric.unit)
    found = [
        Column(name, title_of(id), "id", "", gloss_of(id)) for name, id in zip(BY, by, strict=False)
    ]
    found += [
        Column(name, title_of(id), "text", "", gloss_of(id))
        for name, id in zip(("name", "name2"), by or ("",), strict=False)
        if id
    ]
    if not by:
        found.append(Column("name", _("Situation"), "text"))
    found.append(counted(_("Cases"), str(metric.cases)))
    if metric.kind == "rate":
        found.append(Column("count", _("Times"), "count", "", str(metric.gloss)))
    interval = _("Wilson interval.") if metric.kind == "rate" else ""
    words = {"definition": metric.gloss, "formula": interval}
    gloss = _("%(definition)s %(formula)s") % words if interval else str(metric.gloss)
    return [*found, *estimated("value", str(metric.title), metric.kind, small, gloss)]


def _compute(question: Question, gathered: Gathered) -> Result:
    columns = _columns(question)
    if not isinstance(gathered, GatheredInsight) or gathered.query is None:
        return Result(columns, [], 0, _chart(question, columns))
    query = gathered.query
    found = asking.ask(query, gathered.copy)
    order = _order(query, found, question.own["n_min"])
    if question.own["sort"] != USUAL:
        order = order[_by_value(found, order, question.own["sort"])]
    start = read_cursor(question.own["cursor"], 1)[1][0] if question.own["cursor"] else 0
    page = order[start : start + question.own["page_size"]]
    rows = _rows(query, found, page)
    following = start + len(page)
    more = cursor([following]) if following < len(order) else ""
    drawn = [{**row, _LABEL: _label(row)} for row in rows[:_DRAWN]]
    notes = list(_notes(gathered, query, found, rows))
    return Result(columns, rows, found.cases, _chart(question, columns), notes, drawn, more)


def _order(query: InsightQuery, found: Tabulated, least: int) -> Any:
    """The cells to show, in the order of rows: of players only those who may be named."""
    cells = found.cells
    which = cells.n >= least
    ranks = []
    for id, codes in zip(query.by, cells.codes, strict=True):
        one = DIMENSIONS.get(id)
        if one is not None and one.form == "player":
            unnamed = Player.objects.order_by().filter(statistics=False)
            which &= ~np.isin(codes, list(unnamed.values_list("pk", flat=True)))
        ranks.append(codes if one is None or one.ordered else _by_cases(codes, cells.n))
    where = np.flatnonzero(which)
    if not ranks:
        return where
    return where[np.lexsort([rank[where] for rank in reversed(ranks)])]


def _by_value(found: Tabulated, order: Any, sort: str) -> Any:
    """The places of an order by the values of cells, equal ones as they were."""
    values = found.cells.total[order] / found.cells.n[order]
    return np.argsort(values if sort == LOW else -values, kind="stable")


def _by_cases(codes: Any, n: Any) -> Any:
    """The rank of each number: those with the most cases first."""
    known, place_ = np.unique(codes, return_inverse=True)
    whole = np.bincount(place_, n, len(known))
    rank = np.empty(len(known), np.int64)
    rank[np.lexsort([known, -whole])] = np.arange(len(known))
    return rank[place_]


def _rows(query: InsightQuery, found: Tabulated, page: Any) -> list[Values]:
    cells = found.cells
    named = [
        _words(id, query.ruleset, cells.codes[number][page].tolist())
        for number, id in enumerate(query.by)
    ]
    rows: list[Values] = []
    for at, cell in enumerate(page):
        n, total, squares = (int(one[cell]) for one in (cells.n, cells.total, cells.squares))
        row: Values = {}
        for name, title, (ids, words) in zip(BY, ("name", "name2"), named, strict=False):
            row |= {name: ids[at], title: words[at]}
        if not named:
            row["name"] = _("all")
        row["n"] = n
        if query.metric.kind == "rate":
            row["count"] = total
            row |= put("value", wilson(total, n))
        else:
            row |= put("value", parts_of(mean(n, total, squares), query.metric.parts))
        rows.append(row)
    return rows


def _label(row: Mapping[str, Any]) -> str:
    return " · ".join(str(row[name]) for name in ("name", "name2") if name in row)


def _notes(
    gathered: GatheredInsight, query: InsightQuery, found: Tabulated, rows: Sequence[Values]
) -> Iterator[str]:
    if not gathered.copy.is_current:
        yield _("Games that came or changed just now are not counted yet.")
    known = int(found.cells.n.sum())
    several = any(id != RULESET and DIMENSIONS[id].several for id in query.by)
    if not several and known < found.cases:
        words = {"n": f"{found.cases - known:,}"}
        yield _("Of %(n)s cases the games do not tell it: they are in no row.") % words
    if query.metric.id == "gain":
        yield _(
            "Players who play on usually have better cards than those who stop: a gain describes "
            "only the deals in which somebody did play on."
        )
    if any(row["value_low"] is None for row in rows):
        yield _("A mean of fewer than 10 cases, or of equal ones, has no interval.")


def _chart(question: Question, columns: Sequence[Column]) -> Spec:
    metric = metric_of(question)
    label = " · ".join(title_of(id) for id in by_of(question))
    shown = [Column(_LABEL, label, "text"), *(one for one in columns if one.kind not in _IN_LABELS)]
    return estimates(shown, label=_LABEL, value="value", zero=metric.small)


#: Kinds of columns that the label of a row says already.
_IN_LABELS: Final = ("id", "text")


FIGURE: Final = Figure(
    id="insights",
    title=gettext_lazy("Insights"),
    definition=gettext_lazy(
        "One metric of the selected games, by one or two dimensions: how it differs from seat to "
        "seat, from month to month, against stronger opponents."
    ),
    formula=gettext_lazy("value = count / n, or sum of the values / n"),
    compute=_compute,
    columns=_columns,
    filters=FILTERS,
    any_ruleset=True,
    faults=faults,
    page="insights",
    forms=tuple(
        {"metric": metric, "by": "seat", "by2": "month"} for metric in ("score", "win_rate")
    ),
    own=OWN,
    basis=gettext_lazy(
        "Deals that were dealt again or given up do not count, nor seats that sat out. A case with "
        "several opponents or yaku counts in the row of each. Players who are left out of "
        "statistics by name are in no row."
    ),
    gather=gather_insight,
)
