"""The best of all time: the largest deals, the longest streaks, the rarest hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from records.base import labels
from records.base.keys import player_key
from records.facts.rows import COUNTED
from records.models import Listing, Seat, Visibility
from records.search.selection import ALL, FORMS
from records.statistics.answer import Column
from records.statistics.charts import bars
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, unit
from records.statistics.figures.ratings import month_text
from records.statistics.gather import Gathered, gather, stamp_of
from records.statistics.player_lists import extended
from records.statistics.questions import Parameter, Question, one_of
from records.totals import ratings

#: Rows of each kind, for all players and for one.
MOST: Final = 10
OWN: Final = 3
#: Games that are read at a time along the index, and how many times at most.
BATCH: Final = 50
TIMES: Final = 20
#: A step beyond any deal's last: replays show the last.
_END: Final = 99_999
#: Where `_seats` has the value.
_VALUE: Final = 7
#: The columns of `Seat` that are ranked, with that of the deal.
_RANKED: Final = {"top": "top_deal", "rare": "rare_deal"}


class BestRow(NamedTuple):
    """A row: of a ``kind``, who did it in which game (key) and where in the replay; its value.

    ``sheet``: whether the game is a score sheet.
    """

    kind: str
    player: str
    game: str
    at: str
    day: str
    value: int
    yaku: str = ""
    sheet: bool = False


@dataclass(frozen=True, slots=True)
class Bests(Gathered):
    """The rows of all kinds, the best of each first; whether streaks wait to be recomputed."""

    found: Sequence[BestRow] = ()
    is_due: bool = False


def _gather(question: Question) -> Gathered:
    found = [
        *_seats(question, "top"),
        *(_streaks(question) if _form(question) != "sheet" else ()),
        *_seats(question, "rare"),
    ]
    more: Bests = extended(
        Bests,
        gather(Question(ruleset=question.ruleset, player=question.player)),
        stamp=stamp_of([repr(found)]),
        found=found,
        is_due=ratings.is_due(question.ruleset),
    )
    return more


def _form(question: Question) -> str:
    """The one of `FORMS` that is ranked: nobody can replay a score sheet."""
    return question.own.get("form") or FORMS[0]


def _seats(question: Question, name: str) -> Iterator[BestRow]:
    """The best seats by a column of `_RANKED`, the newest of equals first."""
    columns = (
        *(
            "record_id",
            "number",
            "record__key",
            "player__name",
            "record__listing__day_from",
            "record__listing__day_to",
        ),
        "record__listing__sheet",
        *(name, _RANKED[name], "rare_yaku"),
    )
    rows = Seat.objects.filter(
        player__statistics=True,
        record__visibility=Visibility.PUBLIC,
        record__status__in=COUNTED,
        record__deals_played__gt=0,
    )
    rows = rows.order_by(f"-{name}", "-record_id", "number")
    if (form := _form(question)) != ALL:
        rows = rows.filter(record__listing__sheet=form == "sheet")
    if question.player:
        mine = rows.filter(player__key=player_key(question.player), **{f"{name}__gt": 0})
        mine = mine.filter(record__listing__visibility=Visibility.PUBLIC)
        # Not by a column with an index: by the player's seats.
        mine = mine.alias(rules=F("record__listing__ruleset")).filter(rules=question.ruleset)
        found = list(mine.values_list(*columns)[:OWN])
    else:
        found = _along(question, name, rows, columns)
    for _pk, _number, key, player, first, last, sheet, value, deal, yaku in found:
        step = _END if name == "top" else 0
        day = _day(first, last)
        of_hand = yaku if name == "rare" else ""
        yield BestRow(name, player, key, f"{deal}.{step}", day, value, of_hand, sheet)


def _along(
    question: Question, name: str, rows: QuerySet[Seat], columns: Sequence[str]
) -> list[tuple[Any, ...]]:
    """The best seats of a ruleset, along the index of games by their best seat."""
    games = Listing.objects.filter(ruleset=question.ruleset, visibility=Visibility.PUBLIC)
    if (form := _form(question)) != ALL:
        games = games.filter(sheet=form == "sheet")
    games = games.filter(**{f"{name}__gt": 0}).order_by(f"-{name}", "-record_id")
    found: list[tuple[Any, ...]] = []
    for start in range(0, TIMES * BATCH, BATCH):
        part = list(games.values_list("pk", name)[start : start + BATCH])
        seats = rows.filter(record__in=[pk for pk, _best in part], **{f"{name}__gt": 0})
        found += seats.values_list(*columns)[:MOST]
        found.sort(key=lambda one: (-one[_VALUE], -one[0], one[1]))
        del found[MOST:]
        # What follows is not better than the last game of this part.
        last = (found[-1][_VALUE], found[-1][0]) if len(found) == MOST else (0, 0)
        if len(part) < BATCH or last >= part[-1][::-1]:
            break
    return found


def _streaks(question: Question) -> Iterator[BestRow]:
    rows = ratings.longest_streaks(question.ruleset)
    if question.player:
        rows = rows.filter(player__key=player_key(question.player))
    kept = list(rows[: 1 if question.player else MOST])
    games = Listing.objects.filter(pk__in=[one.longest_game for one in kept])
    columns = ("pk", "record__key", "day_from", "day_to")
    listed = {pk: (key, first, last) for pk, key, first, last in games.values_list(*columns)}
    for one in kept:
        if one.longest_game in listed:
            key, first, last = listed[one.longest_game]
            yield BestRow(
                "streak", one.player.name, key, f"{_END}.{_END}", _day(first, last), one.longest
            )


def _day(first: int, last: int) -> str:
    """A day, a month, or nothing, of the days that a date can mean."""
    if not first:
        return ""
    day = date.fromordinal(first)
    if first == last:
        return day.isoformat()
    is_month = date.fromordinal(last).month == day.month
    return month_text(day.year * 100 + (day.month if is_month else 0))


def _columns(question: Question) -> list[Column]:
    return [
        Column("kind", _("Kind"), "id"),
        Column("name", _("What"), "text"),
        Column("game", _("Game"), "text", "", _("Its key.")),
        Column("player", _("Player"), "text"),
        Column(
            "score",
            _("Score"),
            "count",
            unit(question.ruleset),
            _("What the deal brought the player."),
        ),
        Column("streak", _("Games in a row"), "count", "", _("Rated games won alone.")),
        Column("yaku", _("Yaku"), "text", "", _("The dealt-hand yaku that were declared.")),
        Column("one_in", _("One in"), "count", "", _("Hands to one with exactly these yaku.")),
        Column("day", _("Played"), "text"),
        Column("sheet", _("Score sheet"), "flag", "", _("Nobody can replay its sums.")),
        Column("place", _("No."), "count", "", _("In its kind; equal values share the better.")),
        Column("at", _("Step"), "id", "", _("Deal and step of the replay, as in `at`.")),
    ]


def _compute(question: Question, gathered: Gathered) -> Result:
    names = {"top": _("Largest deal"), "streak": _("Longest streak"), "rare": _("Rarest hand")}
    of = gathered if isinstance(gathered, Bests) else Bests(stamp=gathered.stamp)
    found = of.found
    rows: list[Values] = [
        {
            "kind": one.kind,
            "name": names[one.kind],
            "game": one.game,
            "place": 1 + sum(o.kind == one.kind and o.value > one.value for o in found),
            "player": one.player,
            "score": one.value if one.kind == "top" else None,
            "streak": one.value if one.kind == "streak" else None,
            "yaku": labels.yaku(one.yaku) if one.yaku else None,
            "one_in": one.value if one.kind == "rare" else None,
            "day": one.day or None,
            "sheet": one.sheet,
            "at": one.at,
        }
        for one in found
    ]
    notes = []
    if of.is_due:
        notes = [_("Streaks are being recomputed: some games are not included yet.")]
    columns = _columns(question)
    label = Column("label", _("Largest deal"), "text")
    chart = bars([label, *columns], label="label", value="score")
    deals = (one for one in rows if one["kind"] == "top")
    of_one = bool(question.player)
    drawn = [
        {**one, "label": f"{n}. {(one['day'] or '') if of_one else one['player']}"}
        for n, one in enumerate(deals, 1)
    ]
    return Result(columns, rows, gathered.games, chart, notes, drawn)


FIGURE: Final = Figure(
    id="bests",
    title=gettext_lazy("All-time bests"),
    definition=gettext_lazy(
        "The largest scores of a deal, the longest streaks of games won alone, and the rarest "
        "dealt hands that were declared, by their exact odds; of one player or of all. Score "
        "sheets are left out unless `form` asks for them, and never count for streaks. n of the "
        "answer counts the games."
    ),
    formula=gettext_lazy(
        "one in = hands / hands with exactly these yaku; a streak is of rated games, in the order "
        "of their days"
    ),
    compute=_compute,
    columns=_columns,
    filters=("ruleset", "player"),
    own=(
        Parameter(
            "form",
            gettext_lazy("`moves`: games with their moves; `sheet`: score sheets; `all`: both."),
            {"type": "string", "enum": list(FORMS), "default": FORMS[0]},
            one_of(*FORMS),
            FORMS[0],
        ),
    ),
    page="bests",
    basis=gettext_lazy("Players who are left out of statistics by name are not listed."),
    gather=_gather,
)
