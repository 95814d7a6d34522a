"""The best of all time: the largest deals, the longest streaks, the rarest hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from kafu.odds.exact import NONE, house_hands
from kafu.rules.names import YAKU
from kafu.rules.rulesets import Unsupported
from records.base import labels
from records.base.keys import player_key
from records.models import Listing, Player, Record
from records.models.facts import Family, family_of
from records.search.selection import ALL, FORMS
from records.statistics import charts, ratings
from records.statistics.answer import Case, Column
from records.statistics.columns import unit
from records.statistics.definition import Figure, Result
from records.statistics.gather import Gathered, gather
from records.statistics.questions import Question, choice, month_text
from records.statistics.selection import Selection, find_unnamed_players

#: Rows of each kind, for all players and for one.
MOST: Final = 10
OWN: Final = 3
#: A step beyond any deal's last: replays show the last.
_END: Final = 99_999
#: The ids of yaku of dealt hands.
_DEALT: Final = [id for id in YAKU if family_of(id) is Family.DEALT]


class _Best(NamedTuple):
    """A row: its ``kind``, the player, the game (key), the place in the replay and the value.

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


def _read_bests(question: Question) -> Gathered:
    """Read the rows of all kinds, the best of each first."""
    selection = Selection(replace(question, own={}))
    bests = [
        *_largest_deals(selection, question),
        *(_longest_streaks(question) if question.own["form"] != "sheet" else ()),
        *_rarest_hands(selection, question),
    ]
    notes = []
    if ratings.is_due(question.ruleset):
        notes = [_("Streaks are being recomputed: some games are not included yet.")]
    return gather(selection.question, bests, notes=notes)


def _make_condition(question: Question) -> str:
    """Return SQL for the ranked games of players who may be named.

    Score sheets can be left out: their sums cannot be replayed.
    """
    conditions = {ALL: "true", "sheet": "sheet", "moves": "NOT sheet"}
    return f"{conditions[question.own['form']]} AND NOT list_contains($unnamed, player)"


def _limit(question: Question) -> int:
    return OWN if question.player else MOST


def _largest_deals(selection: Selection, question: Question) -> list[_Best]:
    """Return the seats with the largest score of a deal, each with its best deal."""
    rows = selection.fetch(
        f"""
        SELECT player, game, day, last_day, sheet, score, deal || '.{_END}', ''
        FROM {selection.rows("seats")} WHERE score > 0 AND {_make_condition(question)}
        QUALIFY row_number() OVER (PARTITION BY game, seat ORDER BY score DESC, deal) = 1
        ORDER BY score DESC, game DESC, seat LIMIT {_limit(question)}
        """,
        unnamed=find_unnamed_players(),
    )
    return _name_rows("top", rows)


def _rarest_hands(selection: Selection, question: Question) -> list[_Best]:
    """Return the seats with the rarest declared hand, each with its rarest hand.

    The odds of a hand are computed for the house rules of its game.
    """
    declared = f"""
        SELECT player, game, seat, day, last_day, sheet, deal, profile, options,
            string_agg(yaku, '+' ORDER BY line, part) AS hand
        FROM {selection.rows("yaku")}
        WHERE NOT void AND list_contains($dealt, yaku) AND {_make_condition(question)}
        GROUP BY ALL
    """
    values: dict[str, Any] = {"unnamed": find_unnamed_players(), "dealt": _DEALT}
    declared_hands = selection.fetch(
        f"SELECT DISTINCT profile, options, hand FROM ({declared})", **values
    )
    hands = [(*hand, one_in(question.ruleset, *hand)) for hand in declared_hands]
    rows = selection.fetch(
        f"""
        WITH declared AS ({declared}),
        places AS (SELECT unnest(range(1, 1 + array_length($rare::BIGINT[]))) AS place),
        odds AS (SELECT ($profiles::VARCHAR[])[place] AS profile,
            ($houses::VARCHAR[])[place] AS options, ($hands::VARCHAR[])[place] AS hand,
            ($rare::BIGINT[])[place] AS rare FROM places)
        SELECT player, game, day, last_day, sheet, rare, deal || '.0', hand
        FROM declared JOIN odds USING (profile, options, hand) WHERE rare > 0
        QUALIFY row_number() OVER (PARTITION BY game, seat ORDER BY rare DESC, deal) = 1
        ORDER BY rare DESC, game DESC, seat LIMIT {_limit(question)}
        """,
        **values,
        **{
            name: [hand[place] for hand in hands]
            for place, name in enumerate(("profiles", "houses", "hands", "rare"))
        },
    )
    return _name_rows("rare", rows)


@cache
def one_in(ruleset: str, profile: str, options: str, hand: str) -> int:
    """Return the odds, as one in N hands, of a hand with exactly the yaku of ``haneken+akatan``.

    The house is that of a game with these options (``months=8 rain=no``). Returns 0 for a hand
    without exact odds.
    """
    house_options = {"profile": profile, **dict(option.split("=") for option in options.split())}
    try:
        hands = house_hands(ruleset, house_options)[0].hands
    except Unsupported:
        return 0
    yaku = frozenset(hand.split("+"))
    rows = [id for id in yaku if id in hands.matrix]
    columns = [id for id in yaku if id in hands.matrix[NONE] and id not in rows]
    if len(rows) > 1 or len(columns) > 1 or len(rows) + len(columns) < len(yaku):
        return 0
    cells = hands.matrix[rows[0] if rows else NONE]
    count = cells[columns[0] if columns else NONE]
    return round(hands.total / count) if count else 0


def _name_rows(kind: str, rows: Sequence[tuple[Any, ...]]) -> list[_Best]:
    """Return the rows of a best with names of players and keys of games in place of ids.

    ``kind`` is the id of the best, such as "points". A row is (player, game, first day, last day,
    whether it is a sheet, value, step, yaku).
    """
    players = Player.objects.in_bulk([row[0] for row in rows])
    games = Record.objects.only("key").in_bulk([row[1] for row in rows])
    return [
        _Best(
            *(kind, players[player].name, games[game].key, at),
            *(_format_day(day or 0, last_day or 0), value, yaku, is_sheet),
        )
        for player, game, day, last_day, is_sheet, value, at, yaku in rows
    ]


def _longest_streaks(question: Question) -> Iterator[_Best]:
    rows = ratings.longest_streaks(question.ruleset)
    if question.player:
        rows = rows.filter(player__key=player_key(question.player))
    listed = list(rows[: 1 if question.player else MOST])
    games = Listing.objects.select_related("record").in_bulk([row.longest_game for row in listed])
    for row in listed:
        if game := games.get(row.longest_game):
            day = _format_day(game.day_from, game.day_to)
            at = f"{_END}.{_END}"
            yield _Best("streak", row.player.name, game.record.key, at, day, row.longest)


def _format_day(first: int, last: int) -> str:
    """Return the day, month or year of a date range as text, or "" if unknown."""
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
            *("score", _("Score"), "count", unit(question.ruleset)),
            _("What the month brought the player."),
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
    names = {"top": _("Largest month"), "streak": _("Longest streak"), "rare": _("Rarest hand")}
    values = {"top": "score", "streak": "streak", "rare": "one_in"}
    bests: Sequence[_Best] = gathered.data or ()
    cases: list[Case] = [
        {
            **dict.fromkeys(values.values()),
            **best._asdict(),
            values[best.kind]: best.value,
            "name": names[best.kind],
            "place": 1 + sum(b.kind == best.kind and b.value > best.value for b in bests),
            "yaku": labels.yaku(best.yaku) if best.yaku else None,
            "day": best.day or None,
        }
        for best in bests
    ]
    deals = (case for case in cases if case["kind"] == "top")
    shown = "day" if question.player else "player"
    ids = [column.id for column in _columns(question)]
    drawn = [
        {**{id: case[id] for id in ids}, "label": f"{number}. {case[shown] or ''}"}
        for number, case in enumerate(deals, start=1)
    ]
    return Result(cases, gathered.games, drawn=drawn)


BESTS: Final = Figure(
    id="bests",
    title=gettext_lazy("All-time bests"),
    definition=gettext_lazy(
        "The largest scores of a month, the longest streaks of games won alone, and the rarest "
        "dealt hands that were declared, by their exact odds; of one player or of all. Score "
        "sheets are left out unless `form` asks for them, and never count for streaks. n of the "
        "answer counts the games."
    ),
    formula=gettext_lazy(
        "one in = hands / hands with exactly these yaku; a streak is of rated games, in the order "
        "of their days"
    ),
    columns=_columns,
    compute=_compute,
    chart=charts.Bars(label="label", value="score"),
    read=_read_bests,
    filters=("ruleset", "player"),
    own=(
        choice(
            "form",
            gettext_lazy("`moves`: games with their moves; `sheet`: score sheets; `all`: both."),
            FORMS,
            FORMS[0],
        ),
    ),
    page="bests",
    basis=gettext_lazy("Players who are left out of statistics by name are not listed."),
)
