"""Playing strength: the list of ratings, and the history of a player's rating."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.models import Rating
from records.search.selection import beyond, cursor
from records.statistics import charts, ratings
from records.statistics.answer import Case, Column
from records.statistics.columns import counted
from records.statistics.definition import Figure, Result
from records.statistics.figures.players import PAGE, PAGED, compute_page
from records.statistics.gather import Gathered, gather
from records.statistics.intervals import Estimate, Z
from records.statistics.questions import Question, month_text, read_place

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
    "interval (95%) = rating ± 1.96 × deviation; sorted by rating − 2 × deviation, provisional "
    "ratings last"
)


def _read_case(row: Rating) -> Case:
    """Return the input of the columns of both figures."""
    return {
        "month": month_text(row.month),
        "rating": row.rating,
        "deviation": round(row.deviation),
        "provisional": row.is_provisional,
        "half": Z * row.deviation,
        "floor": round(row.floor),
        "volatility": row.volatility,
        "rated": row.rated,
    }


def _rating_columns(definition: str) -> list[Column]:
    def estimate(case: Case) -> Estimate:
        """Return whole numbers: no rating is more precise."""
        rating, half = case["rating"], case["half"]
        return Estimate(round(rating), round(rating - half), round(rating + half))

    return [
        Column("rating", _("Rating"), "count", "", definition, estimate=estimate),
        Column("deviation", _("Deviation"), "count", "", _("How uncertain the rating is.")),
        Column("provisional", _("Provisional"), "flag", "", _("The deviation is above 110.")),
    ]


def _due_notes(question: Question) -> list[str]:
    if ratings.is_due(question.ruleset):
        return [_("Ratings are being recomputed: some games are not included yet.")]
    return []


# The list -----------------------------------------------------------------------------------------


def _read_list(question: Question) -> Gathered:
    rows = ratings.newest(question.ruleset)
    if question.games_min:
        rows = rows.filter(rated__gte=question.games_min)
    size = question.own["page_size"]
    *after, number = read_place(question, 3)
    page = rows.filter(beyond(("standing", "id"), after, "lt")) if number else rows
    listed = list(page[: size + 1])
    following = ""
    if len(listed) > size:
        listed.pop()
        following = cursor([listed[-1].standing, listed[-1].pk, number + size])
    cases = [
        {**_read_case(row), "place": place, "player": row.player.name, "n": row.rated}
        for place, row in enumerate(listed, start=number + 1)
    ]
    gathered = gather(
        Question(ruleset=question.ruleset),
        notes=_due_notes(question),
        changed=max((row.changed for row in listed), default=None),
    )
    none = _("No games are rated, or no player has that many rated games.")
    notes = [] if cases or not gathered.games else [none]
    total = rows.count()
    result = Result(cases, total, notes, most_drawn=PAGE, next=following, total=total)
    return replace(gathered, data=result)


def _list_columns(question: Question) -> list[Column]:
    return [
        Column("place", _("No."), "count", "", _("In this list.")),
        Column("player", _("Player"), "text"),
        *_rating_columns(_("After the month of the player's last rated game.")),
        Column("floor", _("Lower bound"), "count", "", _("Rating − 2 × deviation.")),
        counted(_("Rated games")),
        Column("month", _("Last played"), "text", "", _("Month of the last rated game.")),
    ]


RATINGS: Final = Figure(
    id="ratings",
    title=gettext_lazy("Ratings"),
    definition=gettext_lazy(
        "Players by rating minus two deviations, provisional ratings last, so that a few good "
        "games do not lead the list. n of the answer counts the rated players."
    ),
    formula=_FORMULA,
    columns=_list_columns,
    compute=compute_page,
    chart=charts.Estimates(label="player", value="rating", zero=False),
    read=_read_list,
    filters=("ruleset", "games_min"),
    own=PAGED,
    basis=format_lazy("{} {}", _BASIS, _WHOLE),
)

# One player ---------------------------------------------------------------------------------------


def _read_history(question: Question) -> Gathered:
    rows = ratings.history(question.ruleset, question.player)
    if question.month_from:
        rows = rows.filter(month__gte=question.month_from)
    if question.month_to:
        rows = rows.filter(month__lte=question.month_to)
    return gather(
        Question(ruleset=question.ruleset, player=question.player),
        [{**_read_case(row), "n": row.games} for row in rows],
        notes=_due_notes(question),
        changed=max((row.changed for row in rows), default=None),
    )


def _history_columns(question: Question) -> list[Column]:
    return [
        Column("month", _("Month"), "text", "", _("Months with rated games.")),
        *_rating_columns(_("After the games of the month.")),
        Column("volatility", _("Volatility"), "number", "", _("How much the strength changes.")),
        counted(_("Rated games"), _("Of the month.")),
        Column("rated", _("Rated games until then"), "count"),
    ]


def _compute_history(question: Question, gathered: Gathered) -> Result:
    months = gathered.data or ()
    return Result(months, sum(month["n"] for month in months))


RATING: Final = Figure(
    id="rating",
    title=gettext_lazy("Rating over time"),
    definition=gettext_lazy("A player's rating month by month."),
    formula=_FORMULA,
    columns=_history_columns,
    compute=_compute_history,
    chart=charts.Course(month="month", value="rating"),
    read=_read_history,
    filters=("ruleset", "player", "from", "to"),
    about=("player",),
    basis=_BASIS,
)
