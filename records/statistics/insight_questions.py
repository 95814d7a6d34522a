"""Questions of insights: what goes together, and which games and facts they are about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.base.keys import player_key
from records.insights import asking
from records.insights.asking import CopyState, InsightQuery
from records.insights.dimensions import DIMENSIONS, RULESET, possible
from records.insights.metrics import METRICS, Metric
from records.models import Player
from records.search.filters import BadParameter, shown, yaku_of
from records.search.selection import AFTER, read_cursor
from records.statistics.estimates import LEAST
from records.statistics.gather import Gathered, gather
from records.statistics.player_lists import extended
from records.statistics.questions import Parameter, Question, count_to, one_of
from records.statistics.single_games import is_single, selected

#: Rows of a page, and the maximum.
PAGE: Final = 100
MOST: Final = 1000
#: Orders of rows.
USUAL, LOW, HIGH = SORTS = ("usual", "low", "high")
#: The parameters that name dimensions.
BY: Final = ("by", "by2")


_NO_COPY: Final = CopyState("", is_current=True)


@dataclass(frozen=True, slots=True)
class GatheredInsight(Gathered):
    """Games, what is asked of their facts (None for a player without games), and how the copy of
    these stands.
    """

    query: InsightQuery | None = None
    copy: CopyState = _NO_COPY


def metric_of(question: Question) -> Metric:
    """The metric of a question."""
    return METRICS[question.own["metric"]]


def by_of(question: Question) -> tuple[str, ...]:
    """The dimensions of a question."""
    return tuple(question.own[name] for name in BY if question.own[name])


def faults(question: Question) -> Iterator[BadParameter]:
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
    mixed = metric.small and not question.ruleset and RULESET not in by
    if mixed or question.ruleset not in (*has, ""):
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


def gather_insight(question: Question) -> Gathered:
    """The games of a question, and what is asked of their facts; nothing is counted yet."""
    players = [name for name in (question.player, question.opponent) if name]
    pks = [_player(name) for name in players]
    if not all(pks):
        return gather(question)
    games: list[int] | None = None
    if is_single(question, pks):
        games, found = selected(question, pks)
    else:
        found = gather(question)
    query = InsightQuery(
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
    copy = asking.state()
    whole: GatheredInsight = extended(
        GatheredInsight, found, stamp=f"{copy.stamp} {query}", query=query, copy=copy
    )
    return whole


def _player(name: str) -> int:
    rows = Player.objects.filter(key=player_key(name)).values_list("pk", flat=True)
    return rows.first() or 0


def _dimension(name: str, meaning: Promise) -> Parameter:
    known = (RULESET, *DIMENSIONS)
    return Parameter(name, meaning, {"type": "string", "enum": known}, one_of(*known), "")


#: Parameters of the figure.
OWN: Final = (
    Parameter(
        "metric",
        gettext_lazy("What is measured."),
        {"type": "string", "enum": list(METRICS), "default": "win_rate"},
        one_of(*METRICS),
        "win_rate",
    ),
    _dimension("by", gettext_lazy("What tells rows apart; none for one row.")),
    _dimension("by2", gettext_lazy("What tells them apart further.")),
    Parameter(
        "yaku",
        gettext_lazy("With `metric=yaku_rate` only this yaku."),
        {"type": "string"},
        _read_yaku,
    ),
    LEAST,
    Parameter(
        "sort",
        gettext_lazy(
            "The order of rows: `usual`, by what tells them apart, or those with the most cases "
            "first; by their values, the lowest or the highest first."
        ),
        {"type": "string", "enum": list(SORTS), "default": SORTS[0]},
        one_of(*SORTS),
        SORTS[0],
    ),
    Parameter(
        "cursor",
        gettext_lazy("Where to continue; taken from `next`."),
        {"type": "string"},
        _read_cursor,
    ),
    Parameter(
        "page_size",
        gettext_lazy("Rows in one answer."),
        {"type": "integer", "minimum": 1, "maximum": MOST, "default": PAGE},
        count_to(MOST, 1),
        PAGE,
    ),
)
