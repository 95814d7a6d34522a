"""Two players in the games that both played: who ended before whom, and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.base.keys import player_key
from records.facts.rows import month_of
from records.facts.snapshot import current_snapshot
from records.models import Player, Rating, Seat
from records.models.ratings import FOREVER
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import FILTERS, Figure, Result
from records.statistics.estimates import Values, counted, estimated, put, unit
from records.statistics.figures.ratings import month_text
from records.statistics.gather import Gathered, stamp_of
from records.statistics.questions import Parameter, Question, one_of
from records.statistics.single_games import BATCH, MOST, left_out, select
from records.totals import ratings
from records.totals.intervals import mean, wilson

_BY: Final = ("ruleset", "month")

#: A ruleset, and a month: YYYYMM, YYYY00 for a year, 0 if it is unknown.
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
    """Nothing unless both are named."""
    keys = [player_key(name) for name in (question.player, question.opponent) if name]
    known = dict(Player.objects.filter(key__in=keys).values_list("key", "pk"))
    if len(known) < 2:
        notes = [] if len(keys) == 2 else [_("Give both a player and an opponent.")]
        return PairGathered(stamp="-", notes=notes)
    one, other = (known[key] for key in keys)
    games = select(question, [one, other])
    columns = ("pk", "ruleset", "day_from", "day_to", "deals")
    rows = list(games.values_list(*columns)[: question.last or MOST])
    pairs: dict[Key, Pair] = {}
    ends = _ends([pk for pk, *_more in rows], one, other)
    for pk, rules, first, last, _deals in rows:
        if pk in ends:
            pairs.setdefault((rules, _month_of(first, last)), Pair()).add(_pair(rules, *ends[pk]))
    expected = dict(_expected({rules for rules, _month in pairs}, one, other))
    return PairGathered(
        games=len(rows),
        deals=sum(deals for *_key, deals in rows),
        as_of=current_snapshot().as_of if rows else None,
        stamp=stamp_of([repr(rows), repr(sorted(ends.items())), repr(expected)]),
        notes=left_out(question, games, len(rows)),
        pairs=pairs,
        expected=expected,
    )


def _month_of(first: int, last: int) -> int:
    """Return YYYYMM of the days that a date can mean, YYYY00 for a year, 0 if it is unknown."""
    if not first:
        return 0
    return month_of(date.fromordinal(first), date.fromordinal(last)) or 0


#: Rank and final sum, in the settlement's unit.
End = tuple[int, int]


def _ends(games: Sequence[int], one: int, other: int) -> dict[int, tuple[End, End]]:
    """How each of the games ended for two players, each by the first of their seats."""
    found: dict[int, dict[int, End]] = {}
    for start in range(0, len(games), BATCH):
        part = games[start : start + BATCH]
        seats = Seat.objects.filter(record__in=part, player__in=(one, other), rank__isnull=False)
        for pk, player, rank, final in seats.order_by("record", "number").values_list(
            "record", "player", "rank", "final"
        ):
            found.setdefault(pk, {}).setdefault(player, (rank or 0, final or 0))
    return {pk: (ends[one], ends[other]) for pk, ends in found.items() if len(ends) == 2}


def _pair(rules: str, one: End, other: End) -> Pair:
    more = (one[1] - other[1]) * RULESETS[rules].final_unit
    before, behind = one[0] < other[0], one[0] > other[0]
    return Pair(1, int(before), int(not before and not behind), int(behind), more, more * more)


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
