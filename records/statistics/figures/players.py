"""How much each player played of a ruleset, and how their games ended."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from operator import attrgetter
from typing import Any, Final

from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.models import Player, Seat, Standing
from records.statistics.answer import Column
from records.statistics.charts import estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, put, unit
from records.statistics.gather import Gathered
from records.statistics.player_lists import PAGE, PAGED, GatheredPage, listed
from records.statistics.questions import Parameter, Question, one_of
from records.statistics.single_games import BATCH, selected
from records.totals.intervals import mean, wilson
from records.totals.standings import NAMES, win

#: Minimum games of a player in the whole list, by default.
LEAST: Final = 10
#: The columns by which a list is sorted, the largest first.
_ORDERS: Final = {"games": "games", "won": "win"}


def _gather(question: Question) -> Gathered:
    by = _ORDERS[question.own.get("sort", "games")]
    if replace(question, games_min=0, own={}) != Question(question.ruleset):
        games, found = selected(question)
        sat = sorted(_sat(question, games), key=attrgetter(by, "id"), reverse=True)
        return listed(question, sat, (by, "id"), found)
    rows = Standing.objects.select_related("player").filter(
        ruleset=question.ruleset, player__statistics=True, player__games__gt=0
    )
    least = question.games_min or LEAST
    if by == "games":
        rows = rows.filter(games__gte=least)
    else:  # not by the column alone: along its index SQLite would sort all players by their rates
        rows = rows.alias(played=F("games") + 0).filter(played__gte=least)
    return listed(question, rows.order_by(f"-{by}", "-id"), (by, "id"))


def _sat(question: Question, games: Sequence[int]) -> Iterator[Standing]:
    """The totals of the games of each player who may be named, by the player's key."""
    sums: defaultdict[tuple[int, str], Counter[str]] = defaultdict(Counter)
    small = RULESETS[question.ruleset].final_unit
    for start in range(0, len(games), BATCH):
        seats = Seat.objects.order_by().filter(record__in=games[start : start + BATCH])
        first = Counter(seats.filter(rank=1).values_list("record", flat=True))
        seats = seats.filter(player__statistics=True)
        if question.seat:
            seats = seats.filter(number=question.seat)
        columns = ("record", "player", "player__name", "rank", "final")
        for record, player, name, rank, final in seats.values_list(*columns):
            one = sums[player, name]
            one["games"] += 1
            if rank is None or final is None:
                continue
            one["ended"] += 1
            one["places"] += rank
            one["final"] += final * small
            one["final_sq"] += (final * small) ** 2
            if rank == 1:
                one["first" if first[record] == 1 else "shared_first"] += 1
    for (player, name), found in sums.items():
        if found["games"] >= question.games_min:
            numbers = [found[one] for one in NAMES]
            yield Standing(
                id=player,
                player=Player(id=player, name=name),
                ruleset=question.ruleset,
                games=found["games"],
                win=win(numbers),
                sums=numbers,
            )


def _columns(question: Question) -> list[Column]:
    ruleset = question.ruleset
    return [
        Column("place", _("No."), "count", "", _("In this list.")),
        Column("player", _("Player"), "text"),
        Column("games", _("Games"), "count"),
        counted(_("Games ended"), _("Games that came to their end.")),
        Column("first", _("Won"), "count", "", _("Games in which the player came first alone.")),
        Column("shared", _("First with others"), "count", "", _("Tied for first.")),
        *estimated("rate", _("Games won"), "rate", "", _("Won divided by ended; Wilson interval.")),
        Column(
            "mean_place",
            _("Mean place"),
            "number",
            "",
            _("Players with equal sums share the better place."),
        ),
        *estimated("final", _("Mean final sum"), "number", unit(ruleset)),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    page = gathered if isinstance(gathered, GatheredPage) else GatheredPage()
    rows = [_row(number, one) for number, one in enumerate(page.listed, start=page.number)]
    columns = _columns(question)
    chart = estimates(columns, label="player", value="rate")
    notes = [] if rows or not gathered.games else [_("No player has that many games.")]
    return Result(columns, rows, gathered.games, chart, notes, rows[:PAGE], page.next)


def _row(number: int, standing: Any) -> Values:
    sums = dict(zip(NAMES, standing.sums, strict=True))
    ended = sums["ended"]
    return {
        "place": number,
        "player": standing.player.name,
        "games": sums["games"],
        "n": ended,
        "first": sums["first"],
        "shared": sums["shared_first"],
        **put("rate", wilson(sums["first"], ended)),
        "mean_place": sums["places"] / ended if ended else None,
        **put("final", mean(ended, sums["final"], sums["final_sq"])),
    }


FIGURE: Final = Figure(
    id="players",
    title=gettext_lazy("Players"),
    definition=gettext_lazy(
        "Players of the selected games; for a whole ruleset, those with at least 10 games unless "
        "another minimum is given. Players with the most games come first, or those whose rate of "
        "games won has the highest lower bound. n of the answer counts the games."
    ),
    formula=gettext_lazy("rate = won / ended; mean place = sum of places / ended"),
    compute=_compute,
    columns=_columns,
    filters=("ruleset", "profile", "option", "event", "seat", "from", "to", "last", "games_min"),
    own=(
        Parameter(
            "sort",
            gettext_lazy(
                "`games`: most games first; `won`: by the lower bound of the rate of games won."
            ),
            {"type": "string", "enum": list(_ORDERS), "default": "games"},
            one_of(*_ORDERS),
            "games",
        ),
        *PAGED,
    ),
    basis=gettext_lazy("Players who are left out of statistics by name are not listed."),
    gather=_gather,
)
