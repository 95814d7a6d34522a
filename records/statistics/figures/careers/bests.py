"""The best of all time: the largest deals, the longest streaks, the rarest hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.odds.exact import NONE, odds
from kafu.rules.names import YAKU
from records.base import labels
from records.base.keys import player_key
from records.models import Listing, Player, Record
from records.models.families import Family, family_of
from records.search.selection import ALL, FORMS
from records.statistics import ratings
from records.statistics.answer import Column
from records.statistics.charts import bars
from records.statistics.definition import Figure, Result
from records.statistics.estimates import Values, unit
from records.statistics.figures.ratings import month_text
from records.statistics.gather import Gathered, gather, stamp_of
from records.statistics.player_lists import extended
from records.statistics.questions import Parameter, Question, one_of
from records.statistics.selection import Selection

#: Rows of each kind, for all players and for one.
MOST: Final = 10
OWN: Final = 3
#: A step beyond any deal's last: replays show the last.
_END: Final = 99_999
#: The ids of yaku of dealt hands.
_DEALT: Final = [id for id in YAKU if family_of(id) is Family.DEALT]


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
    selection = Selection(Question(ruleset=question.ruleset, player=question.player))
    found = [
        *_largest_deals(selection, question),
        *(_streaks(question) if _form(question) != "sheet" else ()),
        *_rarest_hands(selection, question),
    ]
    more: Bests = extended(
        Bests,
        gather(selection.question),
        stamp=stamp_of([repr(found)]),
        found=found,
        is_due=ratings.is_due(question.ruleset),
    )
    return more


def _form(question: Question) -> str:
    """Return the one of `FORMS` that is ranked: the sums of a score sheet cannot be replayed."""
    return question.own.get("form") or FORMS[0]


def _condition(question: Question) -> str:
    """Return SQL for the games that are ranked, of players who may be named."""
    form = _form(question)
    is_form = "true" if form == ALL else "sheet" if form == "sheet" else "NOT sheet"
    return f"{is_form} AND NOT list_contains($unnamed, player)"


def _unnamed() -> list[int]:
    return list(Player.objects.order_by().filter(statistics=False).values_list("pk", flat=True))


def _limit(question: Question) -> int:
    return OWN if question.player else MOST


def _largest_deals(selection: Selection, question: Question) -> list[BestRow]:
    """Return the seats with the largest score of a deal, each with its best deal."""
    rows = selection.fetch(
        f"""
        SELECT player, game, day, last_day, sheet, score, deal || '.{_END}', ''
        FROM {selection.rows("seats")} WHERE score > 0 AND {_condition(question)}
        QUALIFY row_number() OVER (PARTITION BY game, seat ORDER BY score DESC, deal) = 1
        ORDER BY score DESC, game DESC, seat LIMIT {_limit(question)}
        """,
        unnamed=_unnamed(),
    )
    return _name_rows("top", rows)


def _rarest_hands(selection: Selection, question: Question) -> list[BestRow]:
    """Return the seats with the rarest declared hand, each with its rarest one."""
    declared = f"""
        SELECT player, game, seat, day, last_day, sheet, deal,
            string_agg(yaku, '+' ORDER BY line, part) AS hand
        FROM {selection.rows("yaku")}
        WHERE NOT void AND list_contains($dealt, yaku) AND {_condition(question)}
        GROUP BY ALL
    """
    values: dict[str, Any] = {"unnamed": _unnamed(), "dealt": _DEALT}
    hands = selection.fetch(f"SELECT DISTINCT hand FROM ({declared})", **values)
    odds_of = {hand: one_in(question.ruleset, frozenset(hand.split("+"))) for (hand,) in hands}
    known = {hand: rare for hand, rare in odds_of.items() if rare}
    rows = selection.fetch(
        f"""
        WITH declared AS ({declared}),
        odds AS (SELECT unnest($hands::VARCHAR[]) AS hand, unnest($rare::BIGINT[]) AS rare)
        SELECT player, game, day, last_day, sheet, rare, deal || '.0', hand
        FROM declared JOIN odds USING (hand)
        QUALIFY row_number() OVER (PARTITION BY game, seat ORDER BY rare DESC, deal) = 1
        ORDER BY rare DESC, game DESC, seat LIMIT {_limit(question)}
        """,
        **values,
        hands=list(known),
        rare=list(known.values()),
    )
    return _name_rows("rare", rows)


def _name_rows(kind: str, rows: Sequence[tuple[Any, ...]]) -> list[BestRow]:
    """Return rows of ids with the names of players and the keys of games."""
    players = Player.objects.in_bulk([row[0] for row in rows])
    games = dict(Record.objects.filter(pk__in=[row[1] for row in rows]).values_list("pk", "key"))
    return [
        BestRow(
            kind,
            players[player].name,
            games[game],
            at,
            _day(day or 0, last_day or 0),
            value,
            yaku,
            is_sheet,
        )
        for player, game, day, last_day, is_sheet, value, at, yaku in rows
    ]


@cache
def one_in(ruleset: str, yaku: frozenset[str]) -> int:
    """Return the number of hands to one with exactly these dealt-hand yaku.

    It is 0 where the odds have no such hand.
    """
    hands = odds(ruleset).hands
    rows = [id for id in yaku if id in hands.matrix]
    columns = [id for id in yaku if id in hands.matrix[NONE] and id not in rows]
    if len(rows) > 1 or len(columns) > 1 or len(rows) + len(columns) < len(yaku):
        return 0
    cells = hands.matrix[rows[0] if rows else NONE]
    count = cells[columns[0] if columns else NONE]
    return round(hands.total / count) if count else 0


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
