"""A player's strengths compared with those of all players of the ruleset: percentiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.base.keys import player_key
from records.models import Player, Rating
from records.models.ratings import FOREVER
from records.statistics.answer import Column
from records.statistics.charts import percentiles
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, unit
from records.statistics.gather import Gathered, gather, stamp_of
from records.statistics.player_lists import extended
from records.statistics.player_totals import PlayerTotals, read_own_totals, read_totals
from records.statistics.questions import Question
from records.statistics.selection import Selection

#: Games of a player who is compared, at least; and the players compared, those with most games.
LEAST: Final = 10
MOST: Final = 5000


class Strength(NamedTuple):
    """A measure: its id, the player's value and those of the others; whether more is better."""

    what: str
    value: float
    others: Sequence[float]
    more: bool = True

    @property
    def percentile(self) -> float | None:
        """The share of the others who are behind, with half of those who are level."""
        if not self.others:
            return None
        level = sum(other == self.value for other in self.others)
        sign = 1 if self.more else -1
        behind = sum(sign * (self.value - other) > 0 for other in self.others)
        return (behind + level / 2) / len(self.others)


@dataclass(frozen=True, slots=True)
class Strengths(Gathered):
    """The measures of a player; none with too few games."""

    found: Sequence[Strength] = ()


def _gather(question: Question) -> Gathered:
    """Nothing if no player is given."""
    if not question.player:
        return Strengths(stamp="-", notes=[_("No player is given.")])
    found = list(_strengths(question))
    notes = [] if found else [_("The player has too few games that came to their end.")]
    more: Strengths = extended(
        Strengths,
        gather(Question(ruleset=question.ruleset, player=question.player)),
        stamp=stamp_of([repr(found)]),
        found=found,
        notes=notes,
    )
    return more


def _strengths(question: Question) -> Iterator[Strength]:
    key = player_key(question.player)
    own_totals = read_own_totals(Selection(question))
    own = _measures(own_totals) if own_totals else None
    if own is None:
        return
    everybody = Selection(Question(ruleset=question.ruleset))
    totals, _count = read_totals(everybody, least=LEAST, size=MOST + 1)
    players = dict(Player.objects.filter(key=key).values_list("key", "pk"))
    named = [row for row in totals if row.player != players[key]][:MOST]
    others = [measures for row in named if (measures := _measures(row))]
    for number, (what, more) in enumerate(_MEASURES):
        yield Strength(what, own[number], [other[number] for other in others], more)
    newest = Rating.objects.filter(ruleset=question.ruleset, until=FOREVER)
    rated = newest.filter(player__key=key).values_list("rating", flat=True).first()
    if rated is not None:
        rows = newest.filter(rated__gte=LEAST, player__statistics=True).exclude(player__key=key)
        best = rows.order_by("-standing", "-id").values_list("rating", flat=True)[:MOST]
        yield Strength("rating", rated, list(best))


#: The measures of `_measures`, and whether more is better.
_MEASURES: Final = (("first", True), ("place", False), ("final", True), ("games", True))


def _measures(totals: PlayerTotals) -> tuple[float, ...] | None:
    """Return rate of games won alone, mean place, mean final sum, games; None for too few games."""
    ended = totals.ended
    if ended < LEAST:
        return None
    return totals.first / ended, totals.ranks / ended, totals.final / ended, totals.games


def _columns(question: Question) -> list[Column]:
    return [
        Column("what", _("Id"), "id"),
        Column("name", _("What"), "text"),
        Column("value", _("Player"), "number", "", _("Rates as shares of 1, sums in small units.")),
        counted(_("Other players"), _("Players with at least 10 games, without this one.")),
        Column(
            "percentile",
            _("Ahead of"),
            "rate",
            "",
            _("The share of the other players who are behind; those level count half."),
        ),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    names = {
        "first": _("Games won alone"),
        "place": _("Mean place"),
        "final": f"{_('Mean final sum')} ({unit(question.ruleset)})",
        "games": _("Games played"),
        "rating": _("Rating"),
    }
    found = gathered.found if isinstance(gathered, Strengths) else ()
    rows: list[Values] = [
        {
            "what": one.what,
            "name": names[one.what],
            "value": one.value,
            "n": len(one.others),
            "percentile": one.percentile,
        }
        for one in found
    ]
    columns = _columns(question)
    chart = percentiles(columns, label="name", value="percentile")
    drawn = [row for row in rows if row["percentile"] is not None]
    return Result(columns, rows, gathered.games if rows else 0, chart, (), drawn)


FIGURE: Final = Figure(
    id="strengths",
    title=gettext_lazy("Percentiles among all players"),
    definition=gettext_lazy(
        "How many of the other players of the ruleset a player is ahead of, in what their games "
        "brought. Players with at least 10 games that came to their end are compared, at most the "
        "5,000 with most games."
    ),
    formula=gettext_lazy("ahead of = (players behind + players level / 2) / other players"),
    compute=_compute,
    columns=_columns,
    filters=("ruleset", "player"),
    basis=gettext_lazy("Players who are left out of statistics by name are not compared."),
    gather=_gather,
)
