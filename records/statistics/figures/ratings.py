"""How strong players are: the list of ratings, and the history of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.models import Rating
from records.statistics import ratings
from records.statistics.answer import Column
from records.statistics.charts import course, estimates
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, counted, estimated, put
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import Estimate, Z
from records.statistics.player_lists import PAGE, PAGED, GatheredPage, extended, listed, stamp
from records.statistics.questions import Question

#: The columns of the list.
_WHOLE: Final = gettext_lazy(
    "The list covers the whole ruleset, all house rules and all dates; the figures of one player "
    "can be filtered. Players who are left out of statistics by name are not listed."
)
#: The basis of the figures of ratings.
_BASIS: Final = gettext_lazy(
    "Ratings are Glicko-2 (at first 1500, deviation 350, volatility 0.06; τ = 0.5), separate for "
    "each ruleset. Public games are rated if they were verified, consistent or had a mismatch, "
    "were played to the end and are dated at least to the month. A month is a rating period: its "
    "games count together, in no order, and a month without a game makes a rating less certain. "
    "With three or more players every two of them count as a game. A rating is provisional while "
    "its deviation is above 110."
)
_FORMULA: Final = gettext_lazy(
    "interval (95 %) = rating ± 1.96 × deviation; sorted by rating − 2 × deviation, provisional "
    "ratings last"
)


def _rated(one: Rating) -> Values:
    """The values of :func:`_columns`, in whole numbers: no rating is surer than that."""
    half = Z * one.deviation
    estimate = Estimate(round(one.rating), round(one.rating - half), round(one.rating + half))
    return {
        **put("rating", estimate),
        "deviation": round(one.deviation),
        "provisional": one.is_provisional,
    }


def _columns(definition: str) -> list[Column]:
    return [
        *estimated("rating", _("Rating"), "count", "", definition),
        Column("deviation", _("Deviation"), "count", "", _("How uncertain the rating is.")),
        Column("provisional", _("Provisional"), "flag", "", _("The deviation is above 110.")),
    ]


def month_text(month: int) -> str:
    """``2026-01`` of 202601, ``2026`` of 202600."""
    year, number = divmod(month, 100)
    return f"{year:04}-{number:02}" if number else f"{year:04}"


def _notes(question: Question) -> list[str]:
    if ratings.is_due(question.ruleset):
        return [_("Ratings are being recomputed: some games are not included yet.")]
    return []


# The list -----------------------------------------------------------------------------------------


def _gather_list(question: Question) -> Gathered:
    rows = ratings.newest(question.ruleset)
    if question.games_min:
        rows = rows.filter(rated__gte=question.games_min)
    page = listed(question, rows, ("standing", "id"))
    notes = _notes(question)
    changed = max((row.changed for row in page.listed), default=None)
    as_of = max(filter(None, (page.as_of, changed)), default=None)
    return replace(page, stamp=f"{page.stamp} {notes} {page.total}", as_of=as_of, notes=notes)


def _list_columns(question: Question) -> list[Column]:
    return [
        Column("place", _("No."), "count", "", _("In this list.")),
        Column("player", _("Player"), "text"),
        *_columns(_("After the month of the player's last rated game.")),
        Column("floor", _("Lower bound"), "count", "", _("Rating − 2 × deviation.")),
        counted(_("Rated games")),
        Column("month", _("Last played"), "text", "", _("Month of the last rated game.")),
    ]


def _compute_list(question: Question, gathered: Gathered) -> Result:
    page = gathered if isinstance(gathered, GatheredPage) else GatheredPage()
    rows: list[Values] = [
        {
            "place": number,
            "player": one.player.name,
            **_rated(one),
            "floor": round(one.floor),
            "n": one.rated,
            "month": month_text(one.month),
        }
        for number, one in enumerate(page.listed, start=page.number)
    ]
    columns = _list_columns(question)
    chart = estimates(columns, label="player", value="rating", zero=False)
    none = _("No games are rated, or no player has that many rated games.")
    notes = [] if rows or not gathered.games else [none]
    return Result(columns, rows, page.total, chart, notes, rows[:PAGE], page.next, total=page.total)


LIST: Final = Figure(
    id="ratings",
    title=gettext_lazy("Ratings"),
    definition=gettext_lazy(
        "Players by rating minus two deviations, provisional ratings last, so that a few good "
        "games do not lead the list. n of the answer counts the rated players."
    ),
    formula=_FORMULA,
    compute=_compute_list,
    columns=_list_columns,
    filters=("ruleset", "games_min"),
    own=PAGED,
    basis=format_lazy("{} {}", _BASIS, _WHOLE),
    gather=_gather_list,
)


# One player ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RatingHistory(Gathered):
    """A player's ratings, month after month."""

    months: Sequence[Rating] = ()


def _gather_one(question: Question) -> Gathered:
    """Nothing if no player is given."""
    if not question.player:
        return RatingHistory(stamp="-", notes=[_("No player is given.")])
    rows = ratings.history(question.ruleset, question.player)
    if question.month_from:
        rows = rows.filter(month__gte=question.month_from)
    if question.month_to:
        rows = rows.filter(month__lte=question.month_to)
    months, notes = list(rows), _notes(question)
    changed = max((one.changed for one in months), default=None)
    found: RatingHistory = extended(
        RatingHistory,
        gather(Question(ruleset=question.ruleset, player=question.player)),
        stamp=f"{stamp(months)} {notes}",
        as_of=changed,
        months=months,
        notes=notes,
    )
    return found


def _one_columns(question: Question) -> list[Column]:
    return [
        Column("month", _("Month"), "text", "", _("Months with rated games.")),
        *_columns(_("After the games of the month.")),
        Column("volatility", _("Volatility"), "number", "", _("How much the strength changes.")),
        counted(_("Rated games"), _("Of the month.")),
        Column("rated", _("Rated games until then"), "count"),
    ]


def _compute_one(question: Question, gathered: Gathered) -> Result:
    months = gathered.months if isinstance(gathered, RatingHistory) else ()
    rows: list[Values] = [
        {
            "month": month_text(one.month),
            **_rated(one),
            "volatility": one.volatility,
            "n": one.games,
            "rated": one.rated,
        }
        for one in months
    ]
    columns = _one_columns(question)
    chart = course(columns, month="month", value="rating")
    return Result(columns, rows, sum(one.games for one in months), chart)


ONE: Final = Figure(
    id="rating",
    title=gettext_lazy("Rating over time"),
    definition=gettext_lazy("A player's rating month by month."),
    formula=_FORMULA,
    compute=_compute_one,
    columns=_one_columns,
    filters=("ruleset", "player", "from", "to"),
    basis=_BASIS,
    gather=_gather_one,
)
