"""By what facts may be distinguished: each dimension as data, a column or what follows from one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from records.insights.blocks import TABLE_OF, Array
from records.insights.metrics import Metric

#: The number of a rating that is not there yet; a band has one that is higher.
UNRATED: Final = 1
BAND: Final = 100


def _dealer(places: Array) -> Array:
    return places.astype("i8").clip(0, 2)


def _year(dates: Array) -> Array:
    return dates.astype("i8") // 13


def _month(dates: Array) -> Array:
    return dates.astype("i8") * (dates % 13 > 0)


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension: the ``column`` whose numbers it distinguishes, as ``derive`` makes them of it.

    ``form`` says what a number is (`records.statistics.insights` has the words): ``name``
    by `records.insights.names`, ``player``, or a word of its own. ``ordered``: rows follow their
    numbers, else the most cases come first. ``of_table``: it says nothing of a single seat.
    ``several``: a case may have several.
    """

    id: str
    title: Promise
    gloss: Promise
    column: str
    form: str
    ordered: bool = True
    of_table: bool = False
    several: bool = False
    derive: Callable[[Array], Array] | None = None

    @property
    def table(self) -> str:
        """The table that has the column."""
        return TABLE_OF[self.column]


#: The ruleset: facts of each are kept apart, so that it is no column.
RULESET: Final = "ruleset"
_MANY: Final = _("A deal with several counts in the row of each.")
_ALL: Final = (
    Dimension(
        *("house", _("House rules"), _("The profile that the game names."), "house", "house"),
        ordered=False,
        of_table=True,
    ),
    Dimension("seat", _("Seat"), _("The number of the seat."), "seat", "number"),
    Dimension(
        *("dealer", _("Dealer"), _("Whether the seat was the dealer."), "place", "dealer"),
        derive=_dealer,
    ),
    Dimension(
        *("place", _("Place"), _("Counted from the dealer, who is 1."), "place", "place"),
    ),
    Dimension(
        *("month", _("Month of the deal"), _("The month that was played."), "month", "month"),
        of_table=True,
    ),
    Dimension(
        *("grade", _("Field grade"), _("Of the dealt field."), "grade", "grade"),
        of_table=True,
    ),
    Dimension(
        *("hand", _("Dealt hand")),
        _("The yaku of the dealt hand, declared or not; only hands of which all cards are known."),
        *("hand", "hand"),
        ordered=False,
    ),
    Dimension(
        *("first", _("First card")),
        _("The first card of the deal, of the seat that played it."),
        *("first", "card"),
    ),
    Dimension("yaku", _("Yaku made"), _MANY, "yaku", "yaku", ordered=False, several=True),
    Dimension(
        *("held", _("Yaku held")),
        _("At the choice; one with several yaku counts in the row of each."),
        *("held", "yaku"),
        ordered=False,
        several=True,
    ),
    Dimension("left", _("Cards left"), _("In hand at the choice."), "left", "less"),
    Dimension("kind", _("Kind of choice"), _("Of choices that were analysed."), "kind", "kind"),
    Dimension(
        *("player", _("Player"), _("Players who may be named."), "player", "player"),
        ordered=False,
    ),
    Dimension(
        *("opponent", _("Opponent"), _MANY, "opponent", "player"),
        ordered=False,
        several=True,
    ),
    Dimension(
        *("rating", _("Own rating")),
        _("Before the month of the game, in bands of 100; only games dated to the month."),
        *("rating", "band"),
    ),
    Dimension(
        *("opponent_rating", _("Opponent's rating")),
        _("Before the month of the game, in bands of 100; only games dated to the month."),
        *("versus", "band"),
        several=True,
    ),
    Dimension(
        *("year", _("Year"), _("Of the date of the game."), "date", "year"),
        of_table=True,
        derive=_year,
    ),
    Dimension(
        *("date", _("Year and month"), _("Of the date of the game."), "date", "date"),
        of_table=True,
        derive=_month,
    ),
    Dimension(
        *("hour", _("Hour"), _("Of the tag Time, as it is written."), "hour", "less"),
        of_table=True,
    ),
    Dimension(
        *("event", _("Event"), _("Of the game."), "event", "event"),
        ordered=False,
        of_table=True,
    ),
)
#: In the order in which they are offered, after `RULESET`.
DIMENSIONS: Final[Mapping[str, Dimension]] = {one.id: one for one in _ALL}
#: The columns that sums are kept for; the house is in all of them.
KEPT: Final = tuple(
    dict.fromkeys(one.column for one in _ALL if one.column not in ("house", "player"))
)


#: Tables whose rows are cases of their own: only metrics of these distinguish them.
_OF_METRICS: Final = ("choices", "losses")


def reaches(table: str, metric: Metric) -> bool:
    """Whether the cases of a metric have what stands in a table."""
    return table not in _OF_METRICS or metric.table == table


def possible(metric: Metric) -> tuple[str, ...]:
    """The dimensions of a metric."""
    found = (one.id for one in _ALL if one.id not in metric.without and reaches(one.table, metric))
    return (RULESET, *found)


#: Columns that do not distinguish seats: a metric of deals counts each once by these.
OF_TABLE: Final = frozenset(one.column for one in _ALL if one.of_table)
