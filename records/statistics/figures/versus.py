"""Two players in the games that both played: who ended before whom, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.base import labels
from records.models import Rating
from records.models.ratings import FOREVER
from records.statistics import ratings
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import FILTERS, Figure, Result
from records.statistics.estimates import Values, counted, estimated, put, unit
from records.statistics.figures.ratings import month_text
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import mean, wilson
from records.statistics.player_lists import extended
from records.statistics.questions import Parameter, Question, one_of
from records.statistics.selection import Selection

_BY: Final = ("ruleset", "month")

#: A ruleset, and a month as facts have it, 0 for none.
Key = tuple[str, int]


@dataclass(slots=True)
class Pair:
    """Games that both ended: in how many the first was before, level and behind.

    ``more`` is the sum of the first's final sums minus the other's, in the small unit, and
    ``more_sq`` that of the squares.
    """

    n: int = 0
    ahead: int = 0
    level: int = 0
    behind: int = 0
    more: int = 0
    more_sq: int = 0

    def add(self, other: Pair) -> None:
        """Add other games."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(frozen=True, slots=True)
class PairGathered(Gathered):
    """The games of two players, by ruleset and month, and how often the first is expected before
    the other in a ruleset, by their ratings.
    """

    pairs: Mapping[Key, Pair] = field(default_factory=dict)
    expected: Mapping[str, float] = field(default_factory=dict)


def _gather(question: Question) -> Gathered:
    """Return nothing unless both players are named."""
    if not (question.player and question.opponent):
        return PairGathered(stamp="-", notes=[_("Give both a player and an opponent.")])
    selection = Selection(question)
    gathered = gather(question)
    if not gathered.games:
        return PairGathered(stamp=gathered.stamp)
    # A player with several seats counts by the first of them.
    both = Selection(replace(question, player="", opponent=""), selection.snapshot)
    rows = selection.fetch(
        f"""
        WITH games AS (SELECT game FROM {selection.rows("games")}),
        ends AS (
            SELECT ruleset, coalesce(played, 0) AS month, game, player, seat, rank, final
            FROM {both.rows("results")} SEMI JOIN games USING (game)
            WHERE ended AND player IN ($player, $opponent)
            QUALIFY row_number() OVER (PARTITION BY game, player ORDER BY seat) = 1
        ),
        pairs AS (
            SELECT a.ruleset, a.month, a.rank - b.rank AS behind, a.final - b.final AS more
            FROM ends AS a JOIN ends AS b ON a.game = b.game
            WHERE a.player = $player AND b.player = $opponent
        )
        SELECT ruleset, month, count(*), count(*) FILTER (behind < 0), count(*) FILTER (behind = 0),
            count(*) FILTER (behind > 0), sum(more), sum(more * more)
        FROM pairs GROUP BY ruleset, month
        """
    )
    pairs = {(rules, month): Pair(*map(int, numbers)) for rules, month, *numbers in sorted(rows)}
    keys = [key for key in selection.players if key is not None]
    expected = dict(_expected({rules for rules, _month in pairs}, *keys))
    found: PairGathered = extended(
        PairGathered, gathered, stamp=repr(expected), pairs=pairs, expected=expected
    )
    return found


def _expected(rulesets: set[str], one: int, other: int) -> Iterator[tuple[str, float]]:
    newest = Rating.objects.filter(until=FOREVER, player__in=(one, other))
    for rules in sorted(rulesets):
        found = {row.player_id: row for row in newest.filter(ruleset=rules)}
        if len(found) == 2:
            yield rules, ratings.expected(found[one], found[other])


def _columns(question: Question) -> list[Column]:
    gave = unit(question.ruleset) if question.ruleset else ""
    expected = _(
        "From the latest Glicko-2 ratings and deviations of both; equal places count half."
    )
    return [
        Column("ruleset", _("Ruleset id"), "id"),
        Column("name", _("Ruleset"), "text"),
        counted(_("Games"), _("Games of both players that came to their end.")),
        Column(
            "ahead",
            _("Finished ahead"),
            "count",
            "",
            _("Games in which the player finished ahead."),
        ),
        Column("level", _("Level"), "count", "", _("Games in which both finished level.")),
        Column("behind", _("Behind"), "count"),
        *estimated(
            "ahead_rate", _("Rate ahead"), "rate", "", _("Ahead divided by games; Wilson interval.")
        ),
        *estimated(
            "level_rate", _("Rate level"), "rate", "", _("Level divided by games; Wilson interval.")
        ),
        *estimated(
            "behind_rate",
            _("Rate behind"),
            "rate",
            "",
            _("Behind divided by games; Wilson interval."),
        ),
        Column("expected", _("Expected by ratings"), "rate", "", expected),
        *estimated(
            *("more", _("Mean difference"), "number", gave),
            _("Of the final sums, the player's minus the opponent's; in the ruleset's small unit."),
        ),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    found = gathered if isinstance(gathered, PairGathered) else PairGathered()
    by_month = question.own.get("by") == "month"
    groups: dict[Key, Pair] = {}
    for (rules, month), pair in sorted(found.pairs.items()):
        groups.setdefault((rules, month if by_month else 0), Pair()).add(pair)
    rows: list[Values] = []
    for (rules, month), pair in groups.items():
        when = (month_text(month) if month else _("unknown month")) if by_month else ""
        which = [] if by_month and question.ruleset else [labels.ruleset(rules)]
        rates = {
            f"{name}_rate": wilson(getattr(pair, name), pair.n)
            for name in ("ahead", "level", "behind")
        }
        row: Values = {"ruleset": rules, "name": " ".join(filter(None, (*which, when)))}
        row |= {"n": pair.n, "ahead": pair.ahead, "level": pair.level, "behind": pair.behind}
        for id, estimate in rates.items():
            row |= put(id, estimate)
        row["expected"] = None if by_month else found.expected.get(rules)
        rows.append({**row, **put("more", mean(pair.n, pair.more, pair.more_sq))})
    columns = _columns(question)
    baseline = "" if by_month else "expected"
    chart = estimates(columns, label="name", value="ahead_rate", baseline=baseline)
    return Result(columns, rows, sum(pair.n for pair in found.pairs.values()), chart)


FIGURE: Final = Figure(
    id="versus",
    title=gettext_lazy("Head to head"),
    definition=gettext_lazy(
        "The games of a player and an opponent: how often the player finished ahead, level and "
        "behind, and the mean difference of their final sums."
    ),
    formula=gettext_lazy("rate = ahead / n; mean difference = sum of (own − other) / n"),
    compute=_compute,
    columns=_columns,
    filters=tuple(name for name in FILTERS if name != "seat"),
    own=(
        Parameter(
            "by",
            gettext_lazy("A row for each `ruleset`, or each `month` of it."),
            {"type": "string", "enum": list(_BY), "default": _BY[0]},
            one_of(*_BY),
            _BY[0],
        ),
    ),
    any_ruleset=True,
    gather=_gather,
)
