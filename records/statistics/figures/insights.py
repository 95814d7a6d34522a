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
from records.base.keys import player_key
from records.insights import asking, names
from records.insights.asking import Asked, Found
from records.insights.dimensions import BAND, DIMENSIONS, RULESET, UNRATED, Dimension, possible
from records.insights.facts import grade_of
from records.insights.metrics import METRICS, Metric
from records.models import Player
from records.privacy.redaction import of_archive
from records.search.filters import BadParameter, shown, yaku_of
from records.search.selection import AFTER, cursor, read_cursor
from records.statistics.answer import Column
from records.statistics.charts import Spec, estimates
from records.statistics.definition import FILTERS, Figure, Result
from records.statistics.estimates import LEAST, Values, counted, estimated, put, unit
from records.statistics.figures.seats import place
from records.statistics.gather import Gathered, gather, is_single, selected
from records.statistics.player_lists import extended
from records.statistics.questions import Parameter, Question, count_to, one_of
from records.totals.intervals import mean, wilson

#: Rows of a page, and the maximum.
PAGE: Final = 100
MOST: Final = 1000
#: Maximum rows of a chart.
_DRAWN: Final = 40
#: The parameters that name dimensions.
BY: Final = ("by", "by2")
_LABEL: Final = "label"


@dataclass(frozen=True, slots=True)
class GatheredInsight(Gathered):
    """Games, and what is asked of their facts; None for a player without games."""

    asked: Asked | None = None


def metric_of(question: Question) -> Metric:
    """The metric of a question."""
    return METRICS[question.own["metric"]]


def by_of(question: Question) -> tuple[str, ...]:
    """The dimensions of a question."""
    return tuple(question.own[name] for name in BY if question.own[name])


# The question -------------------------------------------------------------------------------------


def _faults(question: Question) -> Iterator[BadParameter]:
    """What does not go together."""
    metric, by = metric_of(question), by_of(question)
    known = possible(metric)
    for name in BY:
        value = question.own[name]
        if value and value not in known:
            words = {"value": value, "metric": metric.id, "known": ", ".join(known)}
            message = _("“%(value)s” is not known of %(metric)s; expected %(known)s.") % words
            yield BadParameter(name, message)
    if question.own["by2"] and not question.own["by"]:
        yield BadParameter("by2", _("expected by too: rows are by this and then by by2."))
    elif len(set(by)) < len(by):
        yield BadParameter("by2", _("expected another dimension than by."))
    if question.own["yaku"] and metric.value != "made":
        yield BadParameter("yaku", _("expected with metric=yaku_rate only."))
    has = [id for id, rules in RULESETS.items() if metric.table != "choices" or rules.choice]
    if question.ruleset not in (*has, "") or (not question.ruleset and RULESET not in by):
        words = {"known": ", ".join(has)}
        yield BadParameter("ruleset", _("expected one of %(known)s; or by=ruleset.") % words)


def _read_yaku(value: str, question: Question) -> str:
    known = yaku_of(question.ruleset)
    if value not in known:
        words = {"value": shown(value), "known": ", ".join(known) or "–"}
        raise ValueError(_("unknown value “%(value)s”; expected %(known)s.") % words)
    return value


def _read_cursor(written: str, question: Question) -> str:
    try:
        way, _place = read_cursor(written, 1)
    except ValueError:
        way = ""
    if way != AFTER:
        raise ValueError(_("use a value that this list has returned."))
    return written


def _gather(question: Question) -> Gathered:
    players = [name for name in (question.player, question.opponent) if name]
    pks = [_player(name) for name in players]
    if not all(pks):
        return gather(question)
    games: list[int] | None = None
    if is_single(question, pks):
        games, found = selected(question, pks)
    else:
        found = gather(question)
    asked = Asked(
        metric=metric_of(question),
        by=by_of(question),
        ruleset=question.ruleset,
        games=games,
        player=pks[0] if pks else 0,
        seat=question.seat,
        month_from=question.month_from,
        month_to=question.month_to,
        profile=question.profile,
        options=question.options,
        event=question.event,
        yaku=question.own["yaku"] or "",
    )
    return extended_by(found, asked)


def extended_by(found: Gathered, asked: Asked) -> GatheredInsight:
    """What was gathered, with a question about facts."""
    whole: GatheredInsight = extended(
        GatheredInsight, found, stamp=f"{asking.stamp()} {asked}", asked=asked
    )
    return whole


def _player(name: str) -> int:
    rows = Player.objects.filter(key=player_key(name)).values_list("pk", flat=True)
    return rows.first() or 0


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
    asked = gathered.asked if isinstance(gathered, GatheredInsight) else None
    columns = _columns(question)
    if asked is None:
        return Result(columns, [], 0, {})
    found = asking.ask(asked)
    order = _order(asked, found, question.own["n_min"])
    start = read_cursor(question.own["cursor"], 1)[1][0] if question.own["cursor"] else 0
    page = order[start : start + question.own["page_size"]]
    rows = _rows(asked, found, page)
    following = start + len(page)
    more = cursor([following]) if following < len(order) else ""
    drawn = [{**row, _LABEL: _label(row)} for row in rows[:_DRAWN]]
    notes = list(_notes(asked, found, len(order)))
    return Result(columns, rows, found.cases, _chart(question, columns), notes, drawn, more)


def _order(asked: Asked, found: Found, least: int) -> Any:
    """The cells to show, in the order of rows: of players only those who may be named."""
    cells = found.cells
    which = cells.n >= least
    ranks = []
    for id, codes in zip(asked.by, cells.codes, strict=True):
        one = DIMENSIONS.get(id)
        if one is not None and one.form == "player":
            unnamed = Player.objects.order_by().filter(statistics=False)
            which &= ~np.isin(codes, list(unnamed.values_list("pk", flat=True)))
        ranks.append(codes if one is None or one.ordered else _by_cases(codes, cells.n))
    where = np.flatnonzero(which)
    if not ranks:
        return where
    return where[np.lexsort([rank[where] for rank in reversed(ranks)])]


def _by_cases(codes: Any, n: Any) -> Any:
    """The rank of each number: those with the most cases first."""
    known, place_ = np.unique(codes, return_inverse=True)
    whole = np.bincount(place_, n, len(known))
    rank = np.empty(len(known), np.int64)
    rank[np.lexsort([known, -whole])] = np.arange(len(known))
    return rank[place_]


def _rows(asked: Asked, found: Found, page: Any) -> list[Values]:
    cells = found.cells
    told = [
        _words(id, asked.ruleset, cells.codes[number][page].tolist())
        for number, id in enumerate(asked.by)
    ]
    rows: list[Values] = []
    for at, cell in enumerate(page):
        n, total, squares = (int(one[cell]) for one in (cells.n, cells.total, cells.squares))
        row: Values = {}
        for name, title, (ids, words) in zip(BY, ("name", "name2"), told, strict=False):
            row |= {name: ids[at], title: words[at]}
        if not told:
            row["name"] = _("all")
        row["n"] = n
        if asked.metric.kind == "rate":
            row["count"] = total
            row |= put("value", wilson(total, n))
        else:
            row |= put("value", mean(n, total, squares))
        rows.append(row)
    return rows


def _label(row: Mapping[str, Any]) -> str:
    return " · ".join(str(row[name]) for name in ("name", "name2") if name in row)


def _notes(asked: Asked, found: Found, rows: int) -> Iterator[str]:
    if not found.is_current:
        yield _("Games that came or changed just now are not counted yet.")
    known = int(found.cells.n.sum())
    several = any(
        id != RULESET and DIMENSIONS[id].table not in ("", asked.metric.table) for id in asked.by
    )
    if not several and known < found.cases:
        words = {"n": f"{found.cases - known:,}"}
        yield _("Of %(n)s cases the games do not tell it: they are in no row.") % words
    if asked.metric.id == "gain":
        yield _(
            "Players who play on usually have better cards than those who stop: a gain describes "
            "only the deals in which somebody did play on."
        )
    if asked.metric.kind == "number" and found.cases:
        yield _("A mean of fewer than 10 cases, or of equal ones, has no interval.")


def _chart(question: Question, columns: Sequence[Column]) -> Spec:
    metric = metric_of(question)
    label = " · ".join(title_of(id) for id in by_of(question))
    told = [Column(_LABEL, label, "text"), *(one for one in columns if one.kind not in _TOLD)]
    return estimates(told, label=_LABEL, value="value", zero=metric.small)


#: Kinds of columns that the label of a row says already.
_TOLD: Final = ("id", "text")


def _dimension(name: str, meaning: str) -> Parameter:
    known = (RULESET, *DIMENSIONS)
    return Parameter(name, meaning, {"type": "string", "enum": known}, one_of(*known), "")


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
    faults=_faults,
    page="insights",
    forms=tuple(
        {"metric": metric, "by": "seat", "by2": "month"} for metric in ("score", "win_rate")
    ),
    own=(
        Parameter(
            "metric",
            "What is measured.",
            {"type": "string", "enum": list(METRICS), "default": "score"},
            one_of(*METRICS),
            "score",
        ),
        _dimension("by", "What tells rows apart; none for one row."),
        _dimension("by2", "What tells them apart further."),
        Parameter(
            "yaku", "With `metric=yaku_rate` only this yaku.", {"type": "string"}, _read_yaku
        ),
        LEAST,
        Parameter(
            "cursor", "Where to continue; taken from `next`.", {"type": "string"}, _read_cursor
        ),
        Parameter(
            "page_size",
            "Rows in one answer.",
            {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE},
            count_to(MOST, 1),
            PAGE,
        ),
    ),
    basis=gettext_lazy(
        "Deals that were dealt again or given up do not count, nor seats that sat out. A case with "
        "several opponents or yaku counts in the row of each. Players who are left out of "
        "statistics by name are in no row."
    ),
    gather=_gather,
)
