"""Results of players, and the comparison of a player with all players."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.rules.rulesets import RULESETS
from records.base import labels
from records.models import Player
from records.models.facts import Family, family_of
from records.search.selection import cursor
from records.statistics import charts
from records.statistics.answer import Case, Column
from records.statistics.columns import average, counted, deal_sums, flagged, ratio, share, unit
from records.statistics.definition import FILTERS, Figure, Result
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import (
    DealSums,
    Estimate,
    Z,
    chance,
    design_effect,
    wilson,
    wilson_of_deals,
)
from records.statistics.questions import Question, choice, paging, read_place
from records.statistics.selection import Selection, find_unnamed_players
from records.statistics.sums import ALL, Sums

# The games of each player, from the results in the fact tables ------------------------------------


class PlayerTotals(NamedTuple):
    """A player's games of a selection.

    ``first`` games were won alone, ``shared`` with others; ``ranks`` is the sum of the places.
    ``final`` and ``final_sq`` are sums of final sums and their squares, in the small unit.
    ``win`` is the lower bound of Wilson's interval of games won alone, in 1/10⁹.
    """

    player: int
    games: int
    ended: int
    first: int
    shared: int
    ranks: int
    final: int
    final_sq: int
    win: int


#: The columns by which lists are sorted, the largest first, by the parameter ``sort``.
_ORDERS: Final = {"games": "games", "won": "win"}
#: `records.statistics.intervals.wilson` of ``first`` in ``ended`` games.
_WIN: Final = """
    CASE WHEN ended = 0 THEN 0 ELSE floor(1e9 * greatest(0,
        (first / ended + {square} / (2 * ended)) / (1 + {square} / ended)
        - {z} / (1 + {square} / ended) * sqrt(
            first / ended * (1 - first / ended) / ended + {square} / (4 * ended * ended)
        )
    ))::BIGINT END
""".format(z=Z, square=Z * Z)


def read_totals(
    selection: Selection,
    *,
    least: int = 0,
    order: str = "games",
    after: Sequence[int] = (),
    size: int,
) -> tuple[list[PlayerTotals], int]:
    """Return ``size`` players with at least ``least`` games, and the number of all such players.

    Players who may not be named are left out. ``after`` is the place of the previous row: its
    values of ``order`` and ``player``.
    """
    assert order in _ORDERS.values()
    totals = f"""
        SELECT player, count(*) AS games, count(*) FILTER (ended) AS ended,
            count(*) FILTER (rank = 1 AND NOT shared) AS first,
            count(*) FILTER (rank = 1 AND shared) AS shared,
            sum(rank) AS ranks, sum(final) AS final, sum(final * final) AS final_sq
        FROM {selection.rows("results")} WHERE NOT list_contains($unnamed, player)
        GROUP BY player HAVING count(*) >= $least
    """
    values = {"unnamed": find_unnamed_players(), "least": least}
    ((count,),) = selection.fetch(f"SELECT count(*) FROM ({totals})", **values)
    place = f"WHERE ({order}, player) < ($value, $player_after)" if after else ""
    if after:
        values["value"], values["player_after"] = after
    rows = selection.fetch(
        f"SELECT * FROM (SELECT *, {_WIN} AS win FROM ({totals})) {place}"
        f" ORDER BY {order} DESC, player DESC LIMIT {int(size)}",
        **values,
    )
    return [PlayerTotals(*(int(number or 0) for number in row)) for row in rows], count


# The list -----------------------------------------------------------------------------------------

#: Minimum games of a player in the whole list, by default.
LEAST: Final = 10
#: Players of a page. A cursor is the last row: sort value, key, and number in the list.
PAGE: Final = 50
PAGED: Final = paging(3, gettext_lazy("Players in one answer."), PAGE)


def _read_players(question: Question) -> Gathered:
    order, size = _ORDERS[question.own["sort"]], question.own["page_size"]
    is_whole = replace(question, games_min=0, own={}) == Question(question.ruleset)
    *after, number = read_place(question, 3)
    totals, count = read_totals(
        Selection(question),
        least=question.games_min or (LEAST if is_whole else 0),
        order=order,
        after=after if number else (),
        size=size + 1,
    )
    names = Player.objects.in_bulk([row.player for row in totals])
    cases = [
        {**row._asdict(), "place": place, "player": names[row.player].name}
        for place, row in enumerate(totals[:size], start=number + 1)
    ]
    following = ""
    if len(totals) > size:
        last = totals[size - 1]
        following = cursor([getattr(last, order), last.player, number + size])
    gathered = gather(question)
    notes = [] if cases or not gathered.games else [_("No player has that many games.")]
    page = Result(cases, gathered.games, notes, most_drawn=PAGE, next=following, total=count)
    return replace(gathered, data=page)


def _players_columns(question: Question) -> list[Column]:
    places = _("Players with equal sums share the better place.")
    return [
        Column("place", _("No."), "count", "", _("In this list.")),
        Column("player", _("Player"), "text"),
        Column("games", _("Games"), "count"),
        Column(
            *("n", _("Games ended"), "count", "", _("Games that came to their end.")),
            value=lambda case: case["ended"],
        ),
        Column("first", _("Won"), "count", "", _("Games in which the player came first alone.")),
        Column("shared", _("First with others"), "count", "", _("Tied for first.")),
        share(
            *("rate", _("Games won"), _("Won divided by ended; Wilson interval.")),
            of="first",
            n="ended",
        ),
        Column("mean_place", _("Average place"), "number", "", places, ratio("ranks", "ended")),
        average("final", _("Average final score"), unit(question.ruleset), n="ended"),
    ]


def compute_page(question: Question, gathered: Gathered) -> Result:
    """Return the page of a list that was read, or an empty page."""
    page: Result = gathered.data or Result([], 0)
    return page


PLAYERS: Final = Figure(
    id="players",
    title=gettext_lazy("Players"),
    definition=gettext_lazy(
        "Players of the selected games; for a whole ruleset, those with at least 10 games unless "
        "another minimum is given. Players with the most games come first, or those whose rate of "
        "games won has the highest lower bound. n of the answer counts the games."
    ),
    formula=gettext_lazy("rate = won / ended; mean place = sum of places / ended"),
    columns=_players_columns,
    compute=compute_page,
    chart=charts.Estimates(label="player", value="rate"),
    read=_read_players,
    filters=("ruleset", "profile", "option", "event", "seat", "from", "to", "last", "games_min"),
    own=(
        choice(
            "sort",
            gettext_lazy(
                "`games`: most games first; `won`: by the lower bound of the rate of games won."
            ),
            [*_ORDERS],
            "games",
        ),
        *PAGED,
    ),
    basis=gettext_lazy("Players who are left out of statistics by name are not listed."),
)

# A player compared with all -----------------------------------------------------------------------

#: Number of yaku in the comparison: the most frequent yaku of all players.
_YAKU: Final = 12


def _read_everybody(question: Question) -> Gathered:
    """Read the sums of all players in the games of the same filters."""
    everybody = gather(replace(question, player="", opponent=""))
    return Gathered(data=everybody.sums)


def _read_compare(question: Question) -> Gathered:
    """Read the sums of the player and of all players."""
    return gather(question, _read_everybody(question).data)


def _compare_columns(question: Question) -> list[Column]:
    def estimate_rate(case: Case) -> Estimate:
        if case["choices"] is None:
            return wilson(case["count"], case["n"])
        return wilson_of_deals(case["count"], case["n"], case["choices"])

    def chance_of_rate(case: Case) -> float | None:
        count, n, choices = case["count"], case["n"], case["choices"]
        if not n or case["all"] is None:
            return None
        # Choices of a month that agree count as fewer.
        effect = 1.0 if choices is None else max(1.0, design_effect(count, n, choices))
        return chance(count / effect, n / effect, case["all"])

    return [
        Column("what", _("Id"), "id"),
        Column("name", _("What"), "text"),
        counted(_("Cases"), _("Months, games or choices of the player.")),
        Column("count", _("Times"), "count"),
        Column(
            *("rate", _("Player"), "rate", "", _("Times divided by cases; Wilson interval.")),
            estimate=estimate_rate,
        ),
        Column("all", _("All"), "rate", "", _("Of all players, including this one.")),
        flagged(_("the player's rate differs from that of all"), chance_of_rate),
    ]


@dataclass(frozen=True, slots=True)
class _Compared:
    """An event that happened ``count`` times of ``n`` possible times.

    ``choices`` are the sums over deals of an event of choices, of which a deal may have several.
    """

    what: str
    name: str
    count: int
    n: int
    choices: DealSums | None = None


def _compute_compare(question: Question, gathered: Gathered) -> Result:
    everybody = gathered.data or gathered.sums
    n = gathered.sums["deals"].total()["n"]
    events_of_player = {event.what: event for event in _compared_events(question, gathered.sums)}
    events_of_player |= {event.what: event for event in _compared_yaku(gathered.sums)}
    cases = []
    usual = [*_compared_events(question, everybody), *_compared_yaku(everybody)[:_YAKU]]
    for event in usual:
        player = events_of_player.get(event.what) or replace(
            event, count=0, n=n
        )  # a yaku never made
        rate = event.count / event.n if event.n else None
        cases.append({**asdict(player), "all": rate})
    return Result(cases, n)


def _compared_events(question: Question, sums: Mapping[str, Sums]) -> Iterator[_Compared]:
    """Yield the compared events other than yaku, of one player or of all."""
    deals = sums["deals"].total()
    yield _Compared("won", _("Months won"), deals["won"], deals["n"])
    dealer, games = sums["deals"]["1"], sums["seat"][ALL]
    yield _Compared("dealer", _("Months won as dealer"), dealer["won"], dealer["n"])
    yield _Compared("first", _("Games won alone"), games["first"], games["ended"])
    if words_of := RULESETS[question.ruleset].choice:
        words = {"on": labels.decision(words_of.on)}
        choices = sums["choices"][ALL]
        for event, name, count, n in (
            ("said", _("%(on)s said, when possible"), "said", "n"),
            ("success", _("Success of %(on)s"), "won", "said"),
        ):
            of_deals = deal_sums(choices, count, n)
            yield _Compared(event, name % words, choices[count], choices[n], of_deals)


def _compared_yaku(sums: Mapping[str, Sums]) -> list[_Compared]:
    """Return the completed yaku, the most frequent first."""
    deals = sums["deals"].total()["n"]
    return [
        _Compared(id, labels.yaku(id), numbers["times"], deals)
        for id, numbers in sums["yaku"].most_frequent()
        if numbers["times"] and family_of(id) is not Family.OTHER
    ]


COMPARE: Final = Figure(
    id="compare",
    title=gettext_lazy("Compared with all players"),
    definition=gettext_lazy(
        "How often a player wins, plays on, and makes the most frequent yaku, compared with all "
        "players in games of the same filters, whoever they played against."
    ),
    formula=gettext_lazy("rate = times / n, of the player and of all"),
    columns=_compare_columns,
    compute=_compute_compare,
    chart=charts.Estimates(
        label="name",
        value="rate",
        measure=gettext_lazy("Share of all cases"),
        baseline="all",
        flag="differs",
    ),
    read=_read_compare,
    read_nobody=_read_everybody,
    about=("player",),
    is_drawn=lambda row: row["n"],
    filters=tuple(name for name in FILTERS if name not in ("seat", "last")),
)
